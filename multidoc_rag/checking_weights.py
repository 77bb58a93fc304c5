"""The coefficients of `checking.py`; written by `python examples/train_checker.py --write`, not by hand.

Fitted to 1043 claims of WiCE (oracle_chunks_dev; annotations ODC-BY, Kamoi et al. 2023), 741
claims of ExpertQA (rand_val; MIT, Malaviya et al. 2024; weight 0.4), and 648
claims of its answers written over passages, of which one was taken away. Only coefficients are kept.
"""

BIAS = -1.5451
SUPPORT = {
    "unit": -0.0197,
    "window": 0.6009,
    "passage": 0.7600,
    "pairs": 1.4597,
    "phrases": 1.0544,
    "weakest": 0.3649,
    "gap": -1.3841,
    "like": 1.3063,
    "like_next": -0.4075,
    "near": 1.2227,
    "subject": -0.2214,
    "subject_capped": 1.0939,
    "subject_of_all": -1.1699,
    "figures_missing": -0.7406,
    "figures_found": 0.1161,
    "names_missing": -0.6045,
    "names_found": -0.0129,
    "length": -0.1203,
}
"""Of each of `checking_features.FEATURES`, in its own unit."""
ANSWER_CUT = 0.48
"""Score of an answer's worst sentence from which, downwards, the answer counts as unsupported."""
