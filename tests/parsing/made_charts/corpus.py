"""The corpus: chart number n is the same each time; looks, fonts, columns and sizes change with n."""

from collections.abc import Callable
from random import Random

from . import axis_charts, bar_charts, drawn_charts, line_charts, panel_charts
from .paper import placed
from .pen import LOOKS, look
from .programs import PROGRAMS, drawn_by
from .truth import Drawing, MadeChart

RECIPES: tuple[Callable[[Random], Drawing], ...] = (
    line_charts.lines, axis_charts.log_y, bar_charts.bars, panel_charts.two_panels, line_charts.marked_lines,
    bar_charts.bands, axis_charts.thousands, bar_charts.grouped_bars, line_charts.dashes, panel_charts.twins,
    line_charts.markers, axis_charts.log_both, bar_charts.lying_bars, line_charts.thousand, panel_charts.shared_panels,
    line_charts.clipped, bar_charts.error_bars, axis_charts.percent, line_charts.references, panel_charts.inset,
    bar_charts.bars_with_values, axis_charts.factor, line_charts.direct_labels, bar_charts.bars_with_spread,
    axis_charts.lost_signs, line_charts.steps, panel_charts.letter_legend, line_charts.gaps, axis_charts.log_x,
    bar_charts.stacked_bars, line_charts.reversed_axes, axis_charts.category_lines, bar_charts.negative_bars,
    axis_charts.symlog, line_charts.scatter, panel_charts.three_panels, bar_charts.lying_groups, axis_charts.dates,
    line_charts.single, bar_charts.error_points, axis_charts.signs, bar_charts.clipped_bands, line_charts.crossing,
    bar_charts.number_bars, axis_charts.years, panel_charts.uneven_panels, bar_charts.hatched_bars,
    axis_charts.log_two, line_charts.direct_labels_above, bar_charts.log_bars, axis_charts.turned_labels,
    axis_charts.commas, drawn_charts.pgf_marks, drawn_charts.pgf_log, drawn_charts.pgf_open, drawn_charts.pgf_bars,
    drawn_charts.r_lines, drawn_charts.ggplot_lines, drawn_charts.gnuplot_lines, drawn_charts.office_lines,
    drawn_charts.office_bars,
)  # fmt: skip
_LOOKS = tuple(LOOKS)
_PROGRAMS = tuple(PROGRAMS)[1:]
# cairocffi, MuPDF and ReportLab draw no hatches; MuPDF draws dashes solid and clips nothing.
_UNABLE = {
    ("cairo", "hatched_bars"),
    ("ReportLab", "hatched_bars"),
    *(("MuPDF", name) for name in ("hatched_bars", "dashes", "clipped", "clipped_bands", "inset")),
}
# The programs set fonts of TeX with the widths of another.
_COMMON_LOOKS = tuple(name for name in LOOKS if name != "computer modern")
_BY_MATPLOTLIB = tuple(recipe for recipe in RECIPES if recipe.__module__ != drawn_charts.__name__)


def made_chart(index: int) -> MadeChart:
    """The chart with this number, 0 or more: recipe by recipe in the plain look first, then in other looks."""
    turn, which = divmod(index, len(RECIPES))
    chance = Random(f"chart {index}")
    name = _LOOKS[(turn * 5 + (which if turn else 0)) % len(_LOOKS)]
    fonttype = (3, 42)[index % 2]
    with look(name, fonttype):
        drawing = RECIPES[which](chance)
    columns = 2 if drawing.size[0] < 350 and index % 3 == 0 else 1
    made = placed(drawing, index, columns=columns, scale=(1.0, 0.85, 1.1)[index % 3])
    return MadeChart(index, made.pdf, made.charts, (RECIPES[which].__name__, name, f"type {fonttype}", *made.traits))


def converted_chart(index: int) -> MadeChart:
    """The chart with this number, its PDF made by another program than matplotlib; looks change with it as well."""
    turn, which = divmod(index, len(_BY_MATPLOTLIB))
    chance = Random(f"converted chart {index}")
    recipe = _BY_MATPLOTLIB[which]
    able = [one for one in _PROGRAMS if (one, recipe.__name__) not in _UNABLE]
    program = able[(turn + which) % len(able)]
    name = _COMMON_LOOKS[(turn * 5 + which) % len(_COMMON_LOOKS)]
    with look(name, 42), drawn_by(program):
        drawing = recipe(chance)
    made = placed(drawing, index, scale=(1.0, 0.85, 1.1)[index % 3])
    return MadeChart(index, made.pdf, made.charts, (recipe.__name__, name, program, *made.traits))
