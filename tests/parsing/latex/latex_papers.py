"""LaTeX papers for the tests: sources, and what they print."""

from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.schema.paper import Cell, Document, Parsed, Source, Table

PAPER = r"""\documentclass{article}
\usepackage{booktabs,multirow,xspace}
\newcommand{\method}{\textsc{Probe}\xspace}
\newcommand{\std}[1]{{\scriptsize$\pm$#1}}
\newcommand{\best}[2][unused]{\textbf{#2}}
\def\eg{e.g.}
% \title{Wrong}
\title{A Small Paper on \method}
\author{Jane Doe \and John Roe}
\begin{document}
\maketitle
\begin{abstract}
We gain 3.1\% over PPO. It \textbf{works}, see Figure~\ref{fig:curves} and \eg\ Table~\ref{tab:main}.
\end{abstract}
\section{Introduction}\label{sec:intro}
Text with $47.3 \pm 0.4$ and $10^{-3}$; see \cref{sec:details}\footnote{A note.} and \eqref{eq:one}.
It goes on % this is hidden
here. We use \method as in \citep{doe}. Appendix~\ref{app:more} has more.

\input{sections/details}
\begin{equation}\label{eq:one}
L = \sum_i x_i^2
\end{equation}
\begin{table}[t]
\caption{Results on CartPole. Best in \textbf{bold}.}
\label{tab:main}
\resizebox{\linewidth}{!}{%
\begin{tabular}{@{}l *{2}{cc} S[table-format=2.1]@{}}
\toprule
\multirow{2}{*}{Method} & \multicolumn{2}{c}{CartPole} & \multicolumn{2}{c}{Acrobot} & {Time} \\
\cmidrule(lr){2-3} \cmidrule(lr){4-5}
 & Return & Success (\%) & Return & Success (\%) & {(s)} \\
\midrule
\multicolumn{6}{l}{\emph{Baselines}} \\
PPO & 43.1\std{1.2} & 77.9 & $-81.2_{\pm 0.3}$ & 55 & 12.3 \\
DQN & \underline{44.0}\std{0.9} & 78.1 & \textcolor{red}{-82.0} & 56$^\dagger$ & 2.1 \\
\midrule
\multicolumn{6}{l}{\emph{Ours}} \\
\method & \best{47.3}\std{0.4} & \best{80.1} & -- & \checkmark & \num{1.2e-3} \\
\bottomrule
\end{tabular}}
\end{table}
\begin{figure}
\includegraphics[width=\linewidth]{plots/one}
\caption{Learning curves.}\label{fig:curves}
\end{figure}
\appendix
\section{More}\label{app:more}
\subsection{Deeper}
Last words of the paper, after Table~\ref{tab:main}.
\begin{thebibliography}{9}
\bibitem[Doe(2020)]{doe} J. Doe. Something. 2020.
\end{thebibliography}
\end{document}
"""
DETAILS = r"""\subsection{Details}\label{sec:details}
\begin{itemize}
\item first point
\item second point
\end{itemize}
"""
PNG = b"\x89PNG\r\n\x1a\n pretend"
FILES = {"sections/details.tex": DETAILS.encode(), "plots/one.png": PNG}


def parsed(text: str, files: dict[str, bytes] | None = None) -> Parsed:
    """A main file read with the files beside it."""
    content = text.encode()
    beside = {"main.tex": content, **(files or {})}
    return LatexParser().parse(Source(kind="latex", origin="paper", content=content, beside=beside), "x")


def document(body: str, preamble: str = "") -> Document:
    """The document that a body makes."""
    text = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return parsed(text).document


def table(tabular: str, preamble: str = "") -> Table:
    """The one table of a float with this inside."""
    (only,) = document(f"\\begin{{table}}\n\\caption{{Results.}}\n{tabular}\n\\end{{table}}", preamble).tables
    return only


def body(one: Table) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """The values of a table by their paths."""
    return {(cell.row_path, cell.column_path): cell.text for cell in body_cells(one)}


def body_cells(one: Table) -> list[Cell]:
    """The value cells of a table."""
    return [cell for cell in one.cells if cell.kind == "body"]
