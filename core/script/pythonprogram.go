package script

// program is the script, with {head} and {model} to be replaced. It is a constant
// because package embed would add 45 kB to the engine.
const program = `{head}import csv
import datetime
import json
import math
import re
import sys

def predict(row: dict):
    """f(z) = b + Σ wⱼzⱼ + Σ Mᵢⱼzᵢzⱼ over the scaled features z, in the target's unit.

    Of two classes it is the log-odds of the second, and predict its probability. Of more
    each has a score f, and predict is a dict of their probabilities, eᶠ over the sum of all.

    M is UVᵀ, with V = U for FM; FM and iFM leave its diagonal out. (Σ uⱼzⱼ)(Σ vⱼzⱼ)
    is the sum over all pairs for one column of U and V, so that M is never formed.
    """
    target, z = MODEL["target"], scaled_features(row)
    if len(SCORES) == 1:
        return raw(target, target["scale"] * scaled(z))
    f = [target["scale"] * scaled(z, score) for score in SCORES]
    e = [math.exp(score - max(f)) for score in f]
    return dict(zip(target["levels"], (x / sum(e) for x in e)))

def interval(row: dict) -> tuple:
    """The ends of f(z) ± half·s(z), log s = b + Σ wⱼzⱼ, in the target's unit; both None where the model has none."""
    interval, target = MODEL.get("interval"), MODEL["target"]
    if interval is None:
        return None, None
    z = scaled_features(row)
    f, spread = scaled(z), 1
    if "w" in interval:
        spread = interval["b"] + sum(x * interval["w"][j] for j, x in z)
        spread = math.exp(min(max(spread, interval["least"]), interval["most"]))
    half = interval["half"] * spread
    return raw(target, target["scale"] * (f - half)), raw(target, target["scale"] * (f + half))

def explain(row: dict, level=None) -> dict:
    """The parts that sum to target.scale·f(z): under () the average over the training rows, under
    (column,) what a column adds, under (column, column) what two columns add beyond that.

    Over the training rows each part but () averages 0. Of more than two classes, the score f is
    that of a level, or of the likeliest.
    """
    if "centre" not in MODEL:
        raise ValueError("the model file has no averages of its training rows; train the model again")
    centre, k, target, columns = MODEL["centre"], MODEL["rank"], MODEL["target"], {}
    at = target["levels"].index(classify(row) if level is None else level) if len(SCORES) > 1 else 0
    u, v, mean = SCORES[at]["u"], SCORES[at].get("v", SCORES[at]["u"]), list(enumerate(centre["means"]))
    z = dict(scaled_features(row))
    for j, feature in enumerate(MODEL["features"]):
        columns.setdefault(feature["column"], []).append((j, z.get(j, 0) - centre["means"][j]))
    base, names = scaled(mean, SCORES[at]), list(columns)
    sums = [[sum(x * part[j][i] for j, x in columns[name]) for part in (u, v) for i in range(k)] for name in names]
    own, pairs = (iter(centre[part][at] if k else [0] * len(names)) for part in ("columns", "pairs"))
    parts = {(): base + (sum(centre["columns"][at]) + sum(centre["pairs"][at]) if k else 0)}
    for p, name in enumerate(names):
        changed = dict(mean)
        changed.update((j, x + changed[j]) for j, x in columns[name])
        parts[name,] = scaled(list(changed.items()), SCORES[at]) - base - next(own)
        for q in range(p + 1, len(names) if k else 0):
            parts[name, names[q]] = sum(sums[p][i] * sums[q][(i + k) % (2 * k)] for i in range(2 * k)) - next(pairs)
    return {part: target["scale"] * x for part, x in parts.items()}

def is_far(y) -> bool:
    """Whether a prediction is beyond the targets that the model has learned from, by more than half their range."""
    if isinstance(y, dict):
        return False
    low, high = MODEL["target"].get("span", (-math.inf, math.inf))
    return y < low - (high - low) / 2 or y > high + (high - low) / 2

def scaled_features(row: dict) -> list:
    """The places of the scaled features that are not 0, and the features."""
    row = with_parts(row)
    z = [(j, encode(f, row[f["column"]])) for j, f in enumerate(MODEL["features"])]
    return [(j, x) for j, x in z if x != 0]

def scaled(z: list, score=None) -> float:
    """f(z), of the scaled target, or of one score of more than two classes."""
    score = score or SCORES[0]
    u, v = score["u"], score.get("v", score["u"])
    f = score["b"] + sum(x * score["w"][j] for j, x in z)
    for k in range(MODEL["rank"]):
        f += sum(x * u[j][k] for j, x in z) * sum(x * v[j][k] for j, x in z)
    if MODEL["model"] != "gfm":
        f -= sum(x * x * sum(a * b for a, b in zip(u[j], v[j])) for j, x in z)
    return f

def classify(row: dict, threshold: float = 0.5) -> str:
    """The second of two classes where it has this probability or more, else the first; of more the likeliest."""
    y = predict(row)
    return max(y, key=y.get) if isinstance(y, dict) else MODEL["target"]["levels"][y >= threshold]

def raw(target: dict, y: float) -> float:
    """The target that y is, or whose logarithm or log-odds it is: that of a logarithm is held to where the training rows span, as much again above."""
    if "loss" in target:
        e = math.exp(-abs(y))
        return (1 if y >= 0 else e) / (1 + e)
    if "log" not in target:
        return y
    y = min(y, 700)  # beyond lies no target, and no float
    return min(max(math.expm1(y) if target["log"] == "log1p" else math.exp(y), target["least"]), target["most"])

def encode(feature: dict, cell) -> float:
    """A feature of a cell: its number, or 1 where it is what the feature stands for."""
    kind, column = feature["kind"], feature["column"]
    if kind == "value":
        x = number(column, cell)
        if x is None:
            x = feature["mean"]
        elif "least" in feature:  # far beyond the training rows
            x = min(max(x, feature["least"]), feature["most"])
    elif kind == "knot":
        x = number(column, cell)
        x = hat(feature, feature["fill"] if x is None else x)
    elif kind == "level":
        x = level(column, cell) == feature["level"]
    elif kind == "other":
        x = not missing(column, cell) and level(column, cell) is None
    elif column in LEVELS:
        x = missing(column, cell)
    else:
        x = number(column, cell) is None
    return (x - feature["mean"]) / feature["scale"]

def hat(feature: dict, x: float) -> float:
    """1 at the feature's knot, 0 from the next ones on, straight between; held beyond the ends."""
    knots, knot = KNOTS[feature["column"]], feature["knot"]
    x = min(max(x, knots[0]), knots[-1])
    if x == knot:
        return 1
    i = knots.index(knot)
    if x < knot:
        return (x - knots[i - 1]) / (knot - knots[i - 1]) if x > knots[i - 1] else 0
    return 1 - (x - knot) / (knots[i + 1] - knot) if x < knots[i + 1] else 0

def text(cell) -> str:
    """A cell as a file has it, or a number, a date or a time of Python, pandas or a database."""
    if isinstance(cell, (datetime.date, datetime.time)):
        return "" if str(cell) == "NaT" else re.sub(r"(\.\d+?)0+(?=\+|\Z)", r"\1", str(cell)).replace("+00:00", "+00")
    if type(cell).__name__ in ("bool", "bool_"):
        return str(cell).lower()
    if hasattr(cell, "__float__") and float(cell).is_integer():
        cell = int(cell)
    return "" if cell is None else str(cell).strip()

def missing(column: str, cell) -> bool:
    cell = text(cell)
    if cell.lower() in MISSING:
        return cell.lower() not in [token.lower() for token in said("present", column)]
    others = said("missingas", column)
    x = amount(column, cell) if others else None
    return cell in others or x is not None and any(grammar(".").fullmatch(other) and float(other) == x for other in others)

def number(column: str, cell):
    """The number that a cell holds, or None."""
    x = None if missing(column, cell) else float(cell) if hasattr(cell, "__float__") else amount(column, text(cell))
    return x if x is not None and abs(x) <= 1e150 else None  # beyond that it cannot be squared

def amount(column: str, cell: str):
    """The number that a text writes: with marks between its thousands, a unit, marks of footnotes, brackets for a minus."""
    cell = re.sub(r"^[<>]=?\s*|\s*(?:(?:[*†‡§]|\[[^\[\]]{1,3}\])\s*)+$", "", cell.replace("\u2212", "-"))
    minus = re.fullmatch(r"\(\s*([^+-].*)\)", cell) or re.fullmatch(r"([^+-].*(?<![*†‡§\]\s]))\s*-", cell)
    if minus:
        x = amount(column, minus[1].strip())
        return None if x is None else -x
    x = amount_of(column, cell)
    for unit, times, by in UNITS.get(column, ()):
        if x is not None:
            break
        front = re.fullmatch(r"([+-]?)\s*" + re.escape(unit) + r"\s*([+-]?)\s*(.*)", cell)
        inside = cell[:-len(unit)].strip() if cell.endswith(unit) else ""
        if front and not (front[1] and front[2]):
            inside = front[1] + front[2] + front[3]
        scaled = re.fullmatch(r"(.*[0-9.,])\s*([a-z]+)\.?", inside, re.I) if column in FACTS["money"] else None
        if scaled and scaled[2].lower() in FACTS["scales"]:
            inside = f"{scaled[1]}e{FACTS['scales'][scaled[2].lower()]}"
        x = clock(unit, cell) if unit in ("minutes", "seconds") else amount_of(column, inside)
        x = None if x is None else x * times / by
    return x

def clock(unit: str, cell: str):
    """A time of day or a duration in its unit."""
    found = re.fullmatch(r"(-?)(?:([0-9]+) days?[, +]*)?([0-9]{1,4}):([0-5][0-9](?:\.[0-9]*)?)(?::([0-5][0-9](?:\.[0-9]*)?))?(?:\u202f? *(a|p)\.?m\.?)?", cell, re.I)
    if not found or found[6] and (found[1] or found[2] or int(found[3]) > 12):
        return None
    hour = int(found[3]) if not found[6] else int(found[3]) % 12 + 12 * (found[6] in "pP")
    x = (24 * int(found[2] or 0) + hour) * 60 + float(found[4])
    if found[5]:
        x = x + float(found[5]) / 60 if unit == "minutes" else 60 * x + float(found[5])
    return -x if found[1] else x

def amount_of(column: str, cell: str):
    point = TABLE["point"] if column not in TABLE["other"] else "." if TABLE["point"] == "," else ","
    grouped = re.fullmatch(r"([+-]?[1-9][0-9]{0,2})((M)(?:[0-9]{3}(?:\3[0-9]{3})*|[0-9]{2}(?:\3[0-9]{2})*\3[0-9]{3}))((?:P[0-9]*)?(?:[eE][+-]?[0-9]+)?)".replace("M", "[,.'’ \u00a0\u202f]").replace("P", re.escape(point)), cell)
    if grouped and grouped[3] != point:
        cell = grouped[1] + grouped[2].replace(grouped[3], "") + grouped[4]
    if not grammar(point).fullmatch(cell):
        return None
    x = float(cell.replace(point, "."))
    return x if math.isfinite(x) else None

def grammar(point: str):
    """How numbers are written."""
    return re.compile(r"[+-]?([0-9]+(P[0-9]*)?|P[0-9]+)([eE][+-]?[0-9]+)?".replace("P", re.escape(point)))

def said(what: str, column: str) -> list:
    """What the model file says of a column, where it lists "column:answer"."""
    return SAID[what].get(column, [])

def with_parts(row: dict) -> dict:
    """A row with the parts of its dates as cells of their own."""
    row = dict(row)
    for column, _, order in (pair.rpartition(":") for pair in TABLE["dates"]):
        at, day = (None, False) if column not in row or missing(column, row[column]) else instant("ymd" if isinstance(row[column], datetime.date) else order, text(row[column]))
        if column in row or at:
            row[column + " (year)"] = str(at.year) if at else ""
            row[column + " (month)"] = str(at.month) if at else ""
            row[column + " (weekday)"] = WEEKDAYS[at.weekday()] if day else ""
            row[column + " (hour)"] = str(at.hour) if at else ""
            row[column + " (days)"] = str((at - datetime.datetime(1970, 1, 1)).days) if at else ""
    return row

def instant(order: str, cell: str):
    """The date and the hour of the local time that a cell writes, or None, and whether it tells the day of the month."""
    if order == "epoch":
        x = float(cell) if grammar(".").fullmatch(cell) else -1
        if not 0 <= x < 1e13 or x % 1:
            return None, False
        return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=x if x < 6e10 else x // 1000), True
    if grammar(".").fullmatch(cell) and 7306 <= float(cell) < 73416:  # the number of a day in a spreadsheet
        return datetime.datetime(1899, 12, 30) + datetime.timedelta(seconds=round(86400 * float(cell))), True
    if order == "ymd":  # the year, the month and perhaps the day, the hour, the minute and the second in one number
        cell = re.sub(r"^(19\d\d|20\d\d|2100)(\d\d)(\d\d)(?:(\d\d)(\d\d)?(\d\d)?)?(?:\.0*)?\Z", lambda m: f"{m[1]}-{m[2]}-{m[3]}" + (f" {m[4]}:{m[5] or '00'}:{m[6] or '00'}" if m[4] else ""), cell, flags=re.A)
        cell = re.sub(r"^(19\d\d|20\d\d|2100)(\d\d)(?:\.0*)?\Z", r"\1-\2", cell, flags=re.A)
    for form in sorted(FORMS, key=lambda form: form[0] != order):
        found = form[1].fullmatch(cell)
        if not found or found["half"] and int(found["hour"]) > 12:
            continue
        if form[0] != order and found["m"].isdigit() and found.start("y") > found.start("m") and cell[found.end("m")] != ".":
            continue  # its form does not show its order
        field, hour = found.groupdict(), int(found["hour"] or 0)
        months = [i for i, name in enumerate(MONTHS, 1) if name.startswith(field["m"].lower())] or [field["m"]]
        year = int(field["y"]) + (0 if len(field["y"]) == 4 else 2000 if int(field["y"]) < 69 else 1900)
        try:
            return datetime.datetime(year, int(months[0]), int(field.get("d", 1)), hour % 12 + 12 * (field["half"] in "pP") if field["half"] else hour), "d" in field
        except ValueError:
            pass
    return None, False

def level(column: str, cell):
    """The level of the model that a cell is, or None."""
    levels = LEVELS[column]
    found = levels.get(text(cell))
    if found is None and column in TABLE["numbers"]:
        found = levels.get(number(column, cell))  # 1.50 is 1.5 in this column
    if found is None and not isinstance(cell, str):
        found = TYPED.get((column, text(cell)))
    return found

def unread(row: dict) -> list:
    """The columns whose cells hold something that the model cannot use: they count as missing, or as another level."""
    parts = with_parts(row)
    dates = [pair.rpartition(":")[0] for pair in TABLE["dates"]]
    odd = [column for column in dates if column in row and not missing(column, row[column]) and not parts[column + " (year)"]]
    return odd + [column for column in COLUMNS if column in row and not missing(column, row[column]) and (level if column in LEVELS else number)(column, row[column]) is None]

def rows(path: str):
    """Yields the line, counted from 1, and the cells of every row of a file."""
    names, line = None, 1
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=TABLE["separator"])
        for cells in reader:
            start, line = line, reader.line_num + 1
            cells = [cell.replace("\r\n", "\n") for cell in cells]  # as training has read them
            if TABLE["separator"] == " ":
                cells = [cell for cell in cells if cell]
            if not cells or len(cells) == 1 and not cells[0].strip():
                continue  # a blank line
            if names is None:
                marked = cells[1:] if cells[0] == "#" else [cells[0].lstrip("# "), *cells[1:]]
                for head in (cells, marked):  # a # before the header may be the line's, and no name's
                    names = column_names(head)
                    known = with_parts(dict.fromkeys(names))
                    lacks = [f["column"] for f in MODEL["features"] if f["column"] not in known]
                    if not lacks:
                        break
                if lacks:
                    sys.exit(f"{path}: the model needs the column {lacks[0]!r}; this file has {names!r}")
                if TABLE["header"]:
                    continue
            if len(cells) != len(names):
                print(f"{path}:{start}: found {len(cells)} cells, expected {len(names)}; the row is left out", file=sys.stderr)
                continue
            yield start, dict(zip(names, cells))

def column_names(cells: list) -> list:
    """The names of the columns, none empty and none twice."""
    names = []
    for i, cell in enumerate(cells, 1):
        name = first = TABLE["header"] and cell.strip() or f"column {i}"
        n = 1
        while name in names:
            n += 1
            name = f"{first} ({n})"
        names.append(name)
    return names

def main(path: str) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    classes, ranged, spanned = "loss" in MODEL["target"], "interval" in MODEL, "span" in MODEL["target"]
    many = MODEL["target"]["levels"] if len(SCORES) > 1 else ()
    out.writerow(["line", "class", *(f"P({name})" for name in many)] if many else ["line", "class", "probability"] if classes else ["line", "prediction", *(("lower", "upper") if ranged else ()), *(("far",) if spanned else ())])
    odd, far = {}, []
    for line, row in rows(path):
        for column in unread(row):
            odd[column] = odd.get(column, 0) + 1
        y = predict(row)
        out.writerow([line, max(y, key=y.get), *y.values()] if many else [line, MODEL["target"]["levels"][y >= 0.5], y] if classes else [line, y, *(interval(row) if ranged else ()), *((int(is_far(y)),) if spanned else ())])
        if is_far(y):
            far.append(line)
    if far:
        low, high = MODEL["target"]["span"]
        print(f"{path}: {len(far)} {'prediction lies' if len(far) == 1 else 'predictions lie'} far beyond the values that the model has learned from, {low} to {high}, first on line {far[0]}", file=sys.stderr)
    for column, cells in odd.items():
        print(f"{path}: {column}: {cells} {'cell holds' if cells == 1 else 'cells hold'} nothing that the model knows", file=sys.stderr)


MODEL = json.loads(r'''
{model}
''')
# How the file was written that the model was trained on; the files to predict are read alike.
LISTS = ("numbers", "other", "dates", "units", "missingas", "present")
TABLE = {"separator": ",", "point": ".", "header": True, **{name: [] for name in LISTS}, **MODEL.get("table", {})}
FACTS = json.loads(r'''{facts}''')
MISSING, WEEKDAYS = set(FACTS["missing"]), FACTS["weekdays"]
MONTHS = [name.lower() for name in FACTS["months"]]
FIELDS = {"Y": r"(?P<y>\d{4})", "y": r"(?P<y>\d\d)", "M": r"(?P<m>\d\d?)", "b": "(?P<m>[a-z]{3,})(?![a-z])", "D": r"(?P<d>\d\d?)", "~": "(?P<mark>[-/.])", "=": "(?P=mark)", ".": r"\.", "_": "[-/., ]{0,2}", "+": "[-/., ]{1,2}"}
WEEKDAY = "(?:(?:" + "|".join(name[:n] for name in WEEKDAYS for n in range(3, len(name) + 1)) + ")(?![a-z])[,. ]*)?"
TIME = r"(?:[t:, ]{1,2}(?P<hour>\d\d?)(?::[0-5]?\d(?::(?:[0-5]?\d|6[01])(?:[.,]\d{1,9})?)?|(?=\u202f? *[ap]))\u202f? *(?:(?P<half>[ap])\.?m\.?)? *(?:z|utc|gmt)? *(?:[+-](?:(?:0\d|1[0-3]):?(?:[0-5]\d)?|14:?(?:00)?))?)?"
FORMS = [(order, re.compile(WEEKDAY + form.translate(str.maketrans(FIELDS)) + TIME, re.I | re.A)) for order, forms in  # 3/4/2024 has the month first, 3-4-2024 the day
         (("ymd", "Y~M=D Y,M,D Y-M Y_b_D Y_b"), ("mdy", "M/D/Y M/D/y"), ("dmy", "D~M=Y D/M/y D.M.y D_b_Y D_b_y"), ("mdy", "M-D-Y b_D+Y b_D+y b_Y")) for form in forms.split()]

SCORES, OTHERS, WIDTH = [MODEL], MODEL.get("others", {"b": ()}), len(MODEL["w"])  # of more than two classes one score each
for c, b in enumerate(OTHERS["b"]):
    SCORES.append({"b": b, "w": OTHERS["w"][c], **{x: OTHERS[x][c * WIDTH:][:WIDTH] for x in "uv" if x in OTHERS}})

SAID = {what: {} for what in ("missingas", "present")}  # by columns, of which the longest before a colon is meant
for what, answers in SAID.items():
    names = {f["column"] for f in MODEL["features"]} | {pair.rpartition(":")[0] for pair in TABLE["dates"]}
    for pair in TABLE[what]:
        column = max((name for name in names if pair.startswith(name + ":")), key=len, default="")
        answers.setdefault(column, []).append(pair[len(column) + 1:])

LEVELS = {f["column"]: {} for f in MODEL["features"] if f["kind"] in ("level", "other")}
for f in MODEL["features"]:
    if f["kind"] == "level":
        LEVELS[f["column"]][f["level"]] = f["level"]
        if f["column"] in TABLE["numbers"] and grammar(".").fullmatch(f["level"]):
            LEVELS[f["column"]][float(f["level"])] = f["level"]

UNITS = {}  # by columns: the column's unit and those that convert to it, with their factors
for column, unit, times, by in FACTS["units"]:
    UNITS.setdefault(column, []).append((unit, times, by))

TYPED = {}  # levels by columns and how Python writes the truth, number, time or date that they are
for column, written, name in FACTS["typed"]:
    TYPED.setdefault((column, written), name)

COLUMNS = list(dict.fromkeys(f["column"] for f in MODEL["features"]))
KNOTS = {f["column"]: [] for f in MODEL["features"] if f["kind"] == "knot"}
for f in MODEL["features"]:
    if f["kind"] == "knot":
        KNOTS[f["column"]].append(f["knot"])

csv.field_size_limit(1 << 22)

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
`
