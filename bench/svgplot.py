"""Draws lines as SVG, in colours that are read on white and on black."""
import math

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 58, 48
LABEL_HEIGHT = 15
COLOURS = ["#2563eb", "#d97706", "#059669", "#9333ea"]


def ticks(low, high, logarithmic):
    if logarithmic:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0**power for power in range(first, last + 1)]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    count = math.ceil((high - low) / step - 1e-9)
    return [low + step * i for i in range(count + 1)]


def label(value):
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:g}"


def apart(wanted):
    """The heights of labels that should be at some heights, moved down where they would overlap."""
    heights = {}
    lowest = 0
    for at, index in sorted((height, index) for index, height in enumerate(wanted)):
        lowest = max(at, lowest + LABEL_HEIGHT)
        heights[index] = lowest
    return heights


def lines(title, x_name, y_name, series, logarithmic=False):
    """An SVG of series: a name and a list of points each."""
    xs = [x for _, points in series for x, _ in points]
    ys = [y for _, points in series for _, y in points]
    x_ticks = ticks(min(xs), max(xs), logarithmic) if logarithmic else ticks(0, max(xs), False)
    y_ticks = ticks(min(ys), max(ys), logarithmic) if logarithmic else ticks(0, max(ys), False)

    def place(value, marks, start, length):
        if logarithmic:
            low, high = math.log10(marks[0]), math.log10(marks[-1])
            return start + length * (math.log10(value) - low) / (high - low)
        return start + length * (value - marks[0]) / (marks[-1] - marks[0])

    def x_of(x):
        return round(place(x, x_ticks, LEFT, WIDTH - LEFT - RIGHT), 1)

    def y_of(y):
        return round(place(y, y_ticks, HEIGHT - BOTTOM, -(HEIGHT - TOP - BOTTOM)), 1)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' font-family="sans-serif" font-size="12" fill="#808080">',
        f"<title>{title}</title>",
        f'<text x="{LEFT}" y="20" font-size="14">{title}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x_name}</text>',
        f'<text x="8" y="{TOP - 14}">{y_name}</text>',
    ]
    for tick in y_ticks:
        y = y_of(tick)
        out.append(
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#808080" stroke-opacity="0.3"/>'
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{label(tick)}</text>'
        )
    for tick in x_ticks:
        out.append(
            f'<text x="{x_of(tick)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label(tick)}</text>'
        )
    labels = apart([y_of(points[-1][1]) for _, points in series])
    for index, ((name, points), colour) in enumerate(zip(series, COLOURS)):
        path = "L".join(f"{x_of(x)} {y_of(y)}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(points) < 10:
            out.extend(
                f'<circle cx="{x_of(x)}" cy="{y_of(y)}" r="3" fill="{colour}"/>' for x, y in points
            )
        x = x_of(points[-1][0])
        out.append(f'<text x="{x + 8}" y="{labels[index] + 4}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
