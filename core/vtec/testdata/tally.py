"""Writes tally.json: results of windows, and the table that Go and the page make of them.

    python3 tally.py > tally.json        (Python 3.11)

Floats are binary64 and added in the order written here; other orders of the same
numbers give other bits, which main makes sure of. null is NaN in the table, and a
window that is not there yet in the lists.
"""

import json
import math
import random

METHODS = ["ridge", "kernel", "ifm"]
STATIONS = ["A", "B", "C"]
LEFT = [0, 2]  # those that are left out in turn
ELEVATIONS = ["15–30°", "30–50°", "50–90°"]
DAYS = ["2010-12-04", "2010-12-05", "2010-12-06", "2010-12-07", "2010-12-08"]
HOLE = "the maps have a hole"
FEW = "satellites in view of every station: 3, expected at least 4"


def windows(rng):
    """Of the first and the last day all, of the second some, of the third none usable, of the fourth none there yet."""
    for day in range(len(DAYS)):
        for minute in (minute for minute in range(0, 1440, 120) for _ in LEFT):
            at = {"day": day, "minute": minute}
            if day == 3 or day == 1 and rng.random() < 0.3:
                yield at | {"result": None}
            elif day == 2 or day == 1 and rng.random() < 0.3:
                yield at | {"result": {"satellites": 3, "train": 0, "test": 0, "zero": 0, "squares": [], "bands": [{"test": 0, "squares": []} for _ in ELEVATIONS], "unusable": HOLE if minute % 240 else FEW}}
            else:
                test = rng.randrange(20, 60)
                squares = [test * math.exp(rng.gauss(-9, 2)) for _ in range(4)]
                low = rng.randrange(0, test)
                bands = [{"test": n, "squares": [v * n / test for v in squares[:3]]} for n in (low, 0, test - low)]
                yield at | {"result": {"satellites": 9, "train": 7 * test, "test": test, "zero": squares[3], "squares": squares[:3], "bands": bands, "unusable": ""}}


def fixes(rng):
    for day in range(len(DAYS)):
        for minute in range(60, 1440, 360):
            at = {"day": day, "minute": minute}
            if day == 3:
                yield at | {"result": None}
            elif day == 2:
                yield at | {"result": {"satellites": 9, "tried": 0, "fixed": [], "none": 0, "perfect": 0, "unfinished": 0, "unusable": HOLE}}
            else:
                tried = 20 * rng.randrange(1, 5)
                yield at | {"result": {"satellites": 9, "tried": tried, "fixed": [rng.randrange(tried + 1) for _ in METHODS], "none": rng.randrange(tried + 1), "perfect": tried, "unfinished": 0, "unusable": ""}}


def add(values):
    total = 0.0
    for v in values:  # sum() compensates since Python 3.12
        total += v
    return total


def ratio(a, b):
    return a / b if b else math.nan


def group(name, parts):
    """Of parts (block, differences, squares), in their order."""
    blocks = []
    for at, test, squares in parts:
        if test == 0:
            continue
        if not blocks or blocks[-1][0] != at:
            blocks.append([at, 0, [0.0] * len(METHODS)])
        blocks[-1][1] += test
        for k, v in enumerate(squares):
            blocks[-1][2][k] += v
    each = [[math.sqrt(v / test) for v in squares] for _, test, squares in blocks]
    return {"name": name, "differences": sum(test for _, test, _ in blocks), "rmse": [add(b[k] for b in each) / len(each) for k in range(len(METHODS))] if each else [], "blocks": each}


def groups(windows):
    """What the page and Go tell apart beyond days. Days are the blocks: there are three."""
    used = [(i, w, w["result"]) for i, w in enumerate(windows) if w["result"] and w["result"]["test"]]
    assert len({w["day"] for _, w, _ in used}) == 3
    some = lambda all: [g for g in all if g["blocks"]]
    own = lambda keep: [(w["day"], r["test"], r["squares"]) for i, w, r in used if keep(i, w)]
    return {
        "hourly": False,
        "all": group("all", own(lambda i, w: True)),
        "stations": some(group(name, own(lambda i, w: LEFT[i % len(LEFT)] == k)) for k, name in enumerate(STATIONS)),
        "hours": some(group(f"{3 * k}–{3 * k + 3} h UT", own(lambda i, w: w["minute"] // 180 == k)) for k in range(8)),
        "elevations": some(group(name, [(w["day"], r["bands"][k]["test"], r["bands"][k]["squares"]) for _, w, r in used]) for k, name in enumerate(ELEVATIONS)),
    }


def table(windows, fixes):
    usable = lambda of: [w["result"] for w in of if w["result"] and w["result"]["unusable"] == ""]
    rows = []
    for day, name in enumerate(DAYS):
        here = [w for w in windows if w["day"] == day]
        used = usable(here)
        differences = sum(r["test"] for r in used)
        rms = lambda values: math.sqrt(ratio(add(values), differences))
        rows.append({
            "day": name, "of": len(here), "over": sum(w["result"] is not None for w in here), "used": len(used), "differences": differences,
            "zero": rms([r["zero"] for r in used]), "rmse": [rms([r["squares"][k] for r in used]) for k in range(len(METHODS))],
        })
    begun = [row for row in rows if row["used"]]
    tried = usable(fixes)
    attempts, n = sum(f["tried"] for f in tried), len(tried)

    def share(more):
        mean = ratio(sum(more), attempts)
        off = [(d - mean * f["tried"]) * (n / attempts) for d, f in zip(more, tried)]
        return mean, math.sqrt(add(v * v for v in off) / (n * (n - 1)))

    own = [share([f["fixed"][k] for f in tried]) for k in range(len(METHODS))]
    lead = [share([f["fixed"][k] - f["fixed"][0] for f in tried]) for k in range(len(METHODS))]
    return {
        "rows": rows,
        "zero": add(row["zero"] for row in begun) / len(begun),
        "average": [add(row["rmse"][k] for row in begun) / len(begun) for k in range(len(METHODS))],
        "groups": groups(windows),
        "positions": {
            "of": len(fixes), "over": sum(f["result"] is not None for f in fixes), "used": n, "tried": attempts,
            "none": ratio(sum(f["none"] for f in tried), attempts), "perfect": ratio(sum(f["perfect"] for f in tried), attempts),
            "share": [s for s, _ in own], "error": [e for _, e in own], "lead": [e for _, e in lead],
        },
        "unusable": [
            {"what": what, "day": DAYS[w["day"]], "minute": w["minute"], "reason": w["result"]["unusable"]}
            for what, of in (("window", windows), ("fix", fixes)) for w in of if w["result"] and w["result"]["unusable"]
        ],
    }


def numbers(v):
    """All numbers of the table in one list."""
    if isinstance(v, dict):
        v = v.values()
    return [v] if isinstance(v, float) else [n for part in v for n in numbers(part)] if not isinstance(v, (str, int)) else []


def write(v):
    return {k: write(x) for k, x in v.items()} if isinstance(v, dict) else [write(x) for x in v] if isinstance(v, list) else None if v != v else v


def main():
    rng = random.Random(6)
    w, f = list(windows(rng)), list(fixes(rng))
    made = table(w, f)
    backwards = table(w[::-1], f[::-1])
    for key in "rows", "groups", "positions":
        assert numbers(made[key]) != numbers(backwards[key]), f"the order of {key} does not show"
    averages = [[row["rmse"][k] for row in made["rows"] if row["used"]] for k in range(len(METHODS))]
    assert made["average"] != [add(a[::-1]) / len(a) for a in averages], "the order of days does not show"
    print("{")
    print(f' "methods": {json.dumps(METHODS)},\n "stations": {json.dumps(STATIONS)},\n "left": {json.dumps(LEFT)},\n "days": {json.dumps(DAYS)},')
    for key, of in ("windows", w), ("fixes", f):
        print(f' "{key}": [\n  ' + ",\n  ".join(json.dumps(v) for v in of) + "\n ],")
    print(' "table": {\n  ' + ",\n  ".join(f'"{key}": {json.dumps(write(v))}' for key, v in made.items()) + "\n }\n}")


main()
