"""Executed mode: whole projects with planted defects, findings matched by place, fixes judged by running them."""
