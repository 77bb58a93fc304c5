"""The coefficients of `checking.py`; written by `python examples/train_checker.py --write`, not by hand.

Fitted to 1043 claims of WiCE (oracle_chunks_dev; annotations ODC-BY, Kamoi et al. 2023), 741
claims of ExpertQA (rand_val; MIT, Malaviya et al. 2024; weight 0.2), and 648
claims of its answers written over passages, of which one was taken away. Only coefficients are kept.
"""

BIAS = -1.7227
SUPPORT = {
    "unit": 0.2795,
    "window": 0.8048,
    "passage": 0.8357,
    "pairs": 1.4772,
    "phrases": 1.0961,
    "weakest": 0.3458,
    "gap": -1.4104,
    "like": 0.9329,
    "like_next": 0.0578,
    "near": 1.0773,
    "subject": -0.3976,
    "subject_capped": 1.1739,
    "subject_of_all": -1.0404,
    "figures_missing": -0.8386,
    "figures_found": 0.0327,
    "names_missing": -0.6192,
    "names_found": -0.0345,
    "length": -0.1255,
    "cited": 0.4180,
}
"""Of each of `checking_features.FEATURES`, in its own unit."""
ANSWER_CUT = 0.47
"""Score of an answer's worst sentence from which, downwards, the answer counts as unsupported."""
