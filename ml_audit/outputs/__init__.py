"""The report in other forms: pure functions of reports to text, in which names and code of a repository are data."""

from ml_audit.outputs.badge import badge
from ml_audit.outputs.markdown import comparison_markdown, markdown
from ml_audit.outputs.page import page
from ml_audit.outputs.sarif import sarif

__all__ = ["badge", "comparison_markdown", "markdown", "page", "sarif"]
