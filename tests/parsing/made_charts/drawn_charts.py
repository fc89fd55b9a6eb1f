"""Charts as pgfplots, R, ggplot2, gnuplot and office programs draw them, stroke by stroke."""

from collections.abc import Sequence
from random import Random

from .canvas import BLACK, WHITE, Canvas, Colour, ascii_plain, plain
from .curves import learning_curve, names, spread, walk
from .truth import Drawing, Point, TrueAxis, TrueLine

RED: Colour = (1, 0, 0)
BLUE: Colour = (0, 0, 1)
BROWN: Colour = (0.75, 0.5, 0.25)
SET1: tuple[Colour, ...] = ((0.894, 0.102, 0.11), (0.216, 0.494, 0.722), (0.302, 0.686, 0.29))
HUES: tuple[Colour, ...] = ((0.973, 0.463, 0.427), (0, 0.729, 0.22), (0.38, 0.612, 1))
DASHES = (None, "[4 3] 0", "[1 2] 0")
_SIZE = (300.0, 190.0)
_AREA = (46.0, 12.0, 286.0, 152.0)


def _framed(canvas: Canvas, xs: Sequence[float], ys: Sequence[float], grey: Colour = (0.5, 0.5, 0.5)) -> None:
    """A thin frame with ticks inside on all four sides and labels below and at the left."""
    x0, y0, x1, y1 = canvas.area
    for value in xs:
        x = canvas.at(value, canvas.y.low).x
        canvas.stroke([(x, y1), (x, y1 - 4)], grey, 0.2)
        canvas.stroke([(x, y0), (x, y0 + 4)], grey, 0.2)
    for value in ys:
        y = canvas.at(canvas.x.low, value).y
        canvas.stroke([(x0, y), (x0 + 4, y)], grey, 0.2)
        canvas.stroke([(x1, y), (x1 - 4, y)], grey, 0.2)
    canvas.box(canvas.area, BLACK)


def _curve(canvas: Canvas, points: Sequence[Point], colour: Colour, width: float, dash: str | None = None) -> None:
    canvas.stroke([canvas.at(*point) for point in points], colour, width, dash=dash)


def _mark(canvas: Canvas, x: float, y: float, colour: Colour, which: int) -> None:
    if which == 0:
        canvas.disc(x, y, 2, colour, fill=colour)
    elif which == 1:
        canvas.box((x - 2, y - 2, x + 2, y + 2), colour, colour)
    else:
        canvas.stroke([(x, y - 2.4), (x + 2.1, y + 1.2), (x - 2.1, y + 1.2)], colour, fill=colour, closed=True)


def pgf_marks(chance: Random) -> Drawing:
    """pgfplots: marked lines in a thin frame, ticks inside, a framed legend."""
    canvas = Canvas(_SIZE, _AREA, TrueAxis(-0.5, 10.5), TrueAxis(-1.1, 1.1), font="stix")
    _framed(canvas, range(0, 11, 2), (-1, -0.5, 0, 0.5, 1))
    canvas.x_labels(range(0, 11, 2), spell=plain, tick=0)
    canvas.y_labels((-1, -0.5, 0, 0.5, 1), spell=plain, tick=0)
    shown = names(chance, 3)
    for k, (name, colour) in enumerate(zip(shown, (BLUE, RED, BROWN), strict=True)):
        points = [(x, chance.uniform(-1, 1)) for x in range(11)]
        _curve(canvas, points, colour, 0.4)
        for point in points:
            _mark(canvas, *canvas.at(*point), colour, k)
        canvas.note(name, "line", points)
    left, top = canvas.area[2] - 100, canvas.area[1] + 6
    canvas.box((left, top, left + 94, top + 34), BLACK, WHITE)
    for k, (name, colour) in enumerate(zip(shown, (BLUE, RED, BROWN), strict=True)):
        y = top + 7 + 10 * k
        canvas.stroke([(left + 4, y), (left + 20, y)], colour)
        _mark(canvas, left + 12, y, colour, k)
        canvas.text(left + 24, y + 2.5, name, 7)
    return canvas.finished(["pgfplots-like", "line", "markers"])


def pgf_log(chance: Random) -> Drawing:
    """pgfplots: a logarithmic axis whose labels are 10 with a small raised exponent."""
    canvas = Canvas(_SIZE, _AREA, TrueAxis(0, 100), TrueAxis(1e-5, 1e1, log=True), font="stix")
    _framed(canvas, range(0, 101, 20), [10**e for e in range(-5, 2)])
    canvas.x_labels(range(0, 101, 20), spell=plain, tick=0)
    for e in range(-5, 2):
        y = canvas.at(0, 10**e).y
        canvas.text(canvas.area[0] - 14, y + 2.8, "10", align="right")
        canvas.text(canvas.area[0] - 13.5, y - 1, plain(e), 5.5)
    for k, (name, colour) in enumerate(zip(names(chance, 2), (BLUE, RED), strict=True)):
        points = list(zip(spread(0, 100, 51), [10**e for e in walk(chance, 51, -5, 1)], strict=True))
        _curve(canvas, points, colour, 0.8)
        canvas.note(name, "line", points)
        y = canvas.area[3] + 26
        canvas.stroke([(80 + 100 * k, y), (96 + 100 * k, y)], colour, 0.8)
        canvas.text(100 + 100 * k, y + 2.5, name, 8)
    return canvas.finished(["pgfplots-like", "line", "log y", "legend outside"])


def pgf_open(chance: Random) -> Drawing:
    """pgfplots with two axis lines that end in arrows, no frame, names at the curves' ends."""
    canvas = Canvas(_SIZE, (46.0, 12.0, 226.0, 152.0), TrueAxis(0, 52), TrueAxis(0, 105), font="stix")
    x0, y0, x1, y1 = canvas.area
    canvas.stroke([(x0, y1), (x1, y1)])
    canvas.stroke([(x0, y1), (x0, y0)])
    canvas.stroke([(x1 - 3, y1 - 2), (x1, y1), (x1 - 3, y1 + 2)])
    canvas.stroke([(x0 - 2, y0 + 3), (x0, y0), (x0 + 2, y0 + 3)])
    canvas.x_labels(range(0, 51, 10), spell=plain, tick=-3)
    canvas.y_labels(range(0, 101, 25), spell=lambda v: f"{v:g}%", tick=-3)
    for k, (name, colour) in enumerate(zip(names(chance, 3), SET1, strict=True)):
        points = [(x, 30 * k + 20 + 5 * chance.random()) for x in spread(0, 50, 26)]
        _curve(canvas, points, colour, 1.0)
        canvas.note(name, "line", points)
        end = canvas.at(*points[-1])
        canvas.page.insert_text((end.x + 8, end.y + 2.5), name, fontsize=8, fontname=canvas.font_name, color=colour)
    return canvas.finished(["pgfplots-like", "line", "no frame", "direct labels", "50% labels"])


def pgf_bars(chance: Random) -> Drawing:
    """pgfplots: groups of tinted bars with coloured edges and the values over them."""
    tasks = ("MNLI", "QQP", "STS-B", "WNLI")
    canvas = Canvas(_SIZE, _AREA, TrueAxis(-0.6, 3.6, names=tasks), TrueAxis(0, 110), font="stix")
    _framed(canvas, range(4), range(0, 101, 20))
    canvas.x_labels(range(4), spell=lambda k: tasks[int(k)], tick=0)
    canvas.y_labels(range(0, 101, 20), spell=plain, tick=0)
    for k, (name, colour) in enumerate(zip(names(chance, 2), (BLUE, RED), strict=True)):
        tint: Colour = (0.7 + 0.3 * colour[0], 0.7 + 0.3 * colour[1], 0.7 + 0.3 * colour[2])
        values = [round(chance.uniform(20, 90), 1) for _ in tasks]
        for i, value in enumerate(values):
            high = canvas.at(i, value)
            left = high.x + (-11 if k == 0 else 1)
            canvas.box((left, high.y, left + 10, canvas.area[3]), colour, tint)
            canvas.text(left + 5, high.y - 2, f"{value:.1f}", 5, align="center")
        canvas.note(name, "bars", list(enumerate(values)), texts=[f"{value:.1f}" for value in values])
        y, x = canvas.area[3] + 26, 80 + 100 * k
        canvas.box((x, y - 4, x + 3, y + 2), colour, tint)
        canvas.box((x + 4, y - 6, x + 7, y + 2), colour, tint)
        canvas.text(x + 11, y + 2, name, 8)
    return canvas.finished(["pgfplots-like", "bars", "grouped bars", "printed values"])


def r_lines(chance: Random) -> Drawing:
    """R: dashed black lines, ticks outside, hyphens for minus, a legend without a frame."""
    canvas = Canvas(_SIZE, _AREA, TrueAxis(-0.8, 20.8), TrueAxis(-3.2, 3.2), font="helv")
    canvas.box(canvas.area, BLACK, w=0.75)
    canvas.x_labels(range(0, 21, 5), spell=ascii_plain, tick=5, gap=15)
    for value in range(-3, 4):
        y = canvas.at(0, value).y
        canvas.stroke([(canvas.area[0], y), (canvas.area[0] - 5, y)], BLACK, 0.75)
        canvas.text(canvas.area[0] - 8, y, ascii_plain(value), align="center", turned=True)
    for k, (name, dash) in enumerate(zip(names(chance, 3, latin=True), DASHES, strict=True)):
        points = list(zip(spread(0, 20, 41), walk(chance, 41, -3, 3), strict=True))
        _curve(canvas, points, BLACK, 0.75, dash)
        canvas.note(name, "line", points)
        y = canvas.area[1] + 10 + 10 * k
        canvas.stroke([(canvas.area[0] + 8, y), (canvas.area[0] + 28, y)], BLACK, 0.75, dash=dash)
        canvas.text(canvas.area[0] + 34, y + 2.5, name, 7.5)
    return canvas.finished(["R-like", "line", "dashes", "turned labels", "negative labels"])


def ggplot_lines(chance: Random) -> Drawing:
    """ggplot2: a grey panel with white lines, a legend at the right with its title, no axis lines."""
    canvas = Canvas(_SIZE, (40.0, 8.0, 210.0, 158.0), TrueAxis(-2, 42), TrueAxis(-0.05, 1.05), font="helv")
    grey: Colour = (0.92, 0.92, 0.92)
    canvas.box(canvas.area, None, grey)
    x0, y0, x1, y1 = canvas.area
    for step, width in ((5, 0.3), (10, 0.6)):
        for value in range(0, 41, step):
            x = canvas.at(value, 0).x
            canvas.stroke([(x, y1), (x, y0)], WHITE, width)
    for value in (0, 0.25, 0.5, 0.75, 1):
        y = canvas.at(0, value).y
        canvas.stroke([(x0, y), (x1, y)], WHITE, 0.6)
    canvas.text(222, 60, "Method", 9)
    for k, (name, colour) in enumerate(zip(names(chance, 3, latin=True), HUES, strict=True)):
        points = list(zip(spread(0, 40, 41), learning_curve(chance, 41, 0, 1), strict=True))
        low_high = [(x, y - 0.06, y + 0.06) for x, y in points]
        if k == 0:
            ring = [canvas.at(x, high) for x, _, high in low_high] + [canvas.at(x, low) for x, low, _ in low_high][::-1]
            shape = canvas.page.new_shape()
            shape.draw_polyline(ring)
            shape.finish(color=None, fill=colour, fill_opacity=0.3, closePath=True)
            shape.commit()
        _curve(canvas, points, colour, 1.1)
        canvas.note(name, "line", points, band=low_high if k == 0 else ())
        y = 66 + 17 * k
        canvas.box((222, y, 239, y + 17), None, grey)
        canvas.stroke([(224, y + 8.5), (237, y + 8.5)], colour, 1.1)
        canvas.text(243, y + 11, name, 7)
    canvas.x_labels(range(0, 41, 10), spell=ascii_plain, tick=2.7, gap=12, colour=(0.2, 0.2, 0.2))
    canvas.y_labels((0, 0.25, 0.5, 0.75, 1), spell=lambda v: f"{v:.2f}", tick=2.7, gap=5, colour=(0.2, 0.2, 0.2))
    return canvas.finished(["ggplot2-like", "line", "bands", "no frame", "legend outside"])


def gnuplot_lines(chance: Random) -> Drawing:
    """gnuplot: the names in the legend stand left of their strokes."""
    canvas = Canvas(_SIZE, _AREA, TrueAxis(0, 5000), TrueAxis(0, 200), font="helv")
    _framed(canvas, range(0, 5001, 1000), range(0, 201, 50), BLACK)
    canvas.x_labels(range(0, 5001, 1000), spell=ascii_plain, tick=0)
    canvas.y_labels(range(0, 201, 50), spell=ascii_plain, tick=0)
    colours: tuple[Colour, ...] = ((0.58, 0, 0.83), (0, 0.62, 0.45), (0.34, 0.71, 0.91))
    for k, (name, colour) in enumerate(zip(names(chance, 3, latin=True), colours, strict=True)):
        points = list(zip(spread(0, 5000, 101), learning_curve(chance, 101, 0, 170), strict=True))
        _curve(canvas, points, colour, 0.7)
        canvas.note(name, "line", points)
        y = canvas.area[3] - 40 + 10 * k
        canvas.text(250, y + 2.5, name, 8, align="right")
        canvas.stroke([(255, y), (279, y)], colour, 0.7)
    return canvas.finished(["gnuplot-like", "line", "legend inside"])


def office_lines(chance: Random) -> Drawing:
    """Office programs: level grid lines only, thick lines, a legend below, no frame and no ticks."""
    canvas = Canvas((320.0, 200.0), (36.0, 14.0, 306.0, 150.0), TrueAxis(0, 12), TrueAxis(0, 100), font="helv")
    for value in range(0, 101, 20):
        y = canvas.at(0, value).y
        canvas.stroke([(canvas.area[0], y), (canvas.area[2], y)], (0.85, 0.85, 0.85), 0.75)
        canvas.text(canvas.area[0] - 6, y + 2.8, ascii_plain(value), align="right")
    for value in range(0, 13, 2):
        canvas.text(canvas.at(value, 0).x, canvas.area[3] + 12, ascii_plain(value), align="center")
    for k, (name, colour) in enumerate(zip(names(chance, 2, latin=True), SET1, strict=False)):
        points = list(zip(range(13), learning_curve(chance, 13, 0, 100), strict=True))
        _curve(canvas, points, colour, 2.25)
        canvas.note(name, "line", points)
        y, x = 186, 70 + 110 * k
        canvas.stroke([(x, y), (x + 20, y)], colour, 2.25)
        canvas.text(x + 24, y + 2.8, name, 8)
    return canvas.finished(["office-like", "line", "no frame", "legend outside"])


def office_bars(chance: Random) -> Drawing:
    """Office programs: bars without edges over a base line, a named target line, values over the bars."""
    tasks = ("Easy", "Medium", "Hard", "All")
    axis = TrueAxis(-0.5, 3.5, names=tasks)
    canvas = Canvas((320.0, 200.0), (36.0, 14.0, 306.0, 150.0), axis, TrueAxis(0, 100), font="helv")
    for value in range(0, 101, 20):
        y = canvas.at(0, value).y
        canvas.stroke([(canvas.area[0], y), (canvas.area[2], y)], (0.85, 0.85, 0.85), 0.75)
        canvas.text(canvas.area[0] - 6, y + 2.8, f"{value}%", align="right")
    for k, (name, colour) in enumerate(zip(names(chance, 2, latin=True), SET1, strict=False)):
        values = [chance.randint(20, 90) for _ in tasks]
        for i, value in enumerate(values):
            high = canvas.at(i, value)
            left = high.x + (-18 if k == 0 else 0)
            canvas.box((left, high.y, left + 18, canvas.area[3]), None, colour)
            canvas.text(left + 9, high.y - 3, f"{value}%", 7, align="center")
        canvas.note(name, "bars", list(enumerate(map(float, values))), texts=[f"{value}%" for value in values])
        y, x = 186, 70 + 110 * k
        canvas.box((x, y - 3, x + 6, y + 3), None, colour)
        canvas.text(x + 10, y + 2.8, name, 8)
    canvas.stroke([(36, 150), (306, 150)], (0.6, 0.6, 0.6), 0.75)
    for i, task in enumerate(tasks):
        canvas.text(canvas.at(i, 0).x, canvas.area[3] + 12, task, align="center")
    canvas.lines.append(TrueLine("y", 0, (None,), expected=False))
    return canvas.finished(["office-like", "bars", "grouped bars", "printed values", "no frame", "50% labels"])
