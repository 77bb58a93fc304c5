"""The coefficients of `checking.py`; written by `python examples/train_checker.py --write`, not by hand.

Fitted to 1043 claims of WiCE (oracle_chunks_dev; annotations ODC-BY, Kamoi et al. 2023), 741 claims of
ExpertQA (rand_val; MIT, Malaviya et al. 2024; weight 0.4), and 648 claims of its answers written
over passages, of which one was taken away. Only coefficients are kept.
"""

BIAS = -1.5300
SUPPORT = {
    "unit": 0.0187,
    "window": 0.5779,
    "passage": 0.8367,
    "pairs": 1.4106,
    "phrases": 0.9469,
    "weakest": 0.3575,
    "gap": -1.3387,
    "like": 0.8708,
    "like_next": 1.2194,
    "near": 0.9130,
    "subject": -0.6442,
    "subject_capped": 1.1974,
    "subject_of_all": -1.4134,
    "figures_missing": -0.7103,
    "figures_found": 0.1439,
    "names_missing": -0.5905,
    "names_found": 0.0128,
    "length": -0.1347,
}
"""Of each of `checking_features.FEATURES`, in its own unit."""
ANSWER_CUT = 0.40
"""Score of an answer's worst sentence from which, downwards, the answer counts as unsupported."""
