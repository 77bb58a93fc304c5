"""The coefficients of `checking.py`; written by `python examples/train_checker.py --write`, not by hand.

Fitted to 1043 claims of WiCE (oracle_chunks_dev; annotations ODC-BY, Kamoi et al. 2023), 741
claims of ExpertQA (rand_val; MIT, Malaviya et al. 2024; weight 0.2), and 648
claims of its answers written over passages, of which one was taken away. Only coefficients are kept.
"""

BIAS = -1.7458
SUPPORT = {
    "unit": 0.2573,
    "window": 0.8135,
    "passage": 0.8337,
    "pairs": 1.5036,
    "phrases": 1.0921,
    "weakest": 0.3556,
    "gap": -1.4012,
    "like": 0.9437,
    "like_next": 0.0800,
    "near": 1.0693,
    "subject": -0.3837,
    "subject_capped": 1.1626,
    "subject_of_all": -1.0621,
    "figures_missing": -0.8426,
    "figures_found": 0.0519,
    "names_missing": -0.6155,
    "names_found": -0.0361,
    "length": -0.1147,
    "cited": 0.4055,
}
"""Of each of `checking_features.FEATURES`, in its own unit."""
ANSWER_CUT = 0.46
"""Score of an answer's worst sentence from which, downwards, the answer counts as unsupported."""
