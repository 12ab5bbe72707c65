"""Findings kept between runs."""
