"""Texts become unit vectors."""
