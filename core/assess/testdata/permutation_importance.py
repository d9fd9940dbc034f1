"""Writes permutation_importance.csv and .json: scikit-learn's permutation importance of a
factorization machine with two signs, on the last fifth of the rows.

Run with Python 3 in this folder. The JSON names the versions that made it.
"""

import json

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.inspection import permutation_importance
from sklearn.metrics import make_scorer, mean_squared_error
from sklearn.utils import check_random_state

N, TEST, REPEATS, SEED = 200, 40, 5, 7


class Machine(RegressorMixin, BaseEstimator):
    """f(x) = b + xᵀw + Σ over i ≠ j of xᵢxⱼ·uᵢᵀvⱼ"""

    def __init__(self, b, w, u, v):
        self.b, self.w, self.u, self.v = b, w, u, v
        self.fitted_ = True

    def fit(self, x, y):
        return self

    def predict(self, x):
        w, m = np.array(self.w), np.array(self.u) @ np.array(self.v).T
        np.fill_diagonal(m, 0)
        return self.b + x @ w + np.einsum("ni,ij,nj->n", x, m, x)


rng = np.random.default_rng(SEED)
x = np.round(rng.normal(size=(N, 4)) * [1, 2, 0.5, 1] + [0, 1, -1, 0], 4)
machine = Machine(0.5, [2.0, -0.5, 1.0, 0.0], [[1.0, 0.5], [0.5, -0.25], [0.0, 1.0], [0.0, 0.0]], [[-0.5, 1.0], [0.75, 0.0], [1.0, 0.5], [0.0, 0.0]])
y = np.round(machine.predict(x) + rng.normal(size=N) * 0.5, 4)
with open("permutation_importance.csv", "w") as f:
    f.write("t,a,b,c,unused,y\n")
    for i in range(N):
        f.write(",".join(map(str, [2 * i + 1, *x[i], y[i]])) + "\n")

test_x, test_y = x[N - TEST :], y[N - TEST :]
scorer = make_scorer(mean_squared_error, greater_is_better=False)
found = permutation_importance(machine, test_x, test_y, scoring=scorer, n_repeats=REPEATS, random_state=SEED)

# What row each row takes its cell from in each repetition: scikit-learn draws one seed, and
# shuffles the cells of each column anew from it, one shuffle after the other.
generator = check_random_state(check_random_state(SEED).randint(np.iinfo(np.int32).max + 1))
index, place, turns = np.arange(TEST), np.arange(TEST), []
for _ in range(REPEATS):
    generator.shuffle(index)
    place = place[index]
    turns.append(place.tolist())

with open("permutation_importance.json", "w") as f:
    json.dump(
        {
            "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
            "b": machine.b, "w": machine.w, "u": machine.u, "v": machine.v,
            "turns": turns,
            "mse": mean_squared_error(test_y, machine.predict(test_x)),
            "importances": dict(zip(["a", "b", "c", "unused"], found.importances.tolist())),
        },
        f,
    )
    f.write("\n")
