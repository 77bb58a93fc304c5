"""The coefficients of `checking.py`, written by examples/train_checker.py."""

from typing import Any

SUPPORT: dict[str, Any] = {
    "bias": -1.1222,
    "weights": [
        -0.4426,
        0.0106,
        -0.5146,
        0.9181,
        0.4444,
        0.3991,
        -0.524,
        0.2921,
        0.3191,
        0.9322,
        2.4833,
        -0.5909,
        0.2235,
        -0.6054,
        0.0249,
        -0.3963,
    ],
}
ANSWER: dict[str, Any] = {"bias": -1.5, "weights": [-0.5, -0.3, -0.3, 0.3]}
