"""Scripted policies: what cheap tricks, a grep, the rules of ml-audit and someone who knows all answers earn."""
