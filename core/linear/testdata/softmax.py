#!/usr/bin/env python3
"""Writes softmax.json: multinomial logistic regression of scikit-learn. Debian's python3-sklearn 1.2.1, numpy 1.24.2."""
import json
import numpy as np
from sklearn.linear_model import LogisticRegression

rng = np.random.default_rng(7)
n, k = 80, 4
x = rng.normal(size=(n, 3)) * [1, 3, .5] + [0, 5, -1]
x = np.round(np.column_stack([x, rng.integers(0, 2, n)]), 3)  # the last column is of 0 and 1
f = x @ (rng.normal(size=(4, k)) / [[1], [2], [.5], [1]])
y = np.argmax(f - f.mean(0) + rng.gumbel(size=(n, k)), 1)
weight = rng.integers(1, 4, n)
fits = []
for penalty in (.01, 1, 30):
    for w in (None, weight):
        m = LogisticRegression(C=1 / penalty, multi_class="multinomial", solver="newton-cg", tol=1e-9, max_iter=1000).fit(x, y, w)
        fits.append({"penalty": penalty, "weighted": w is not None, "coef": m.coef_.tolist(), "intercept": (m.intercept_ - m.intercept_.mean()).tolist(), "proba": m.predict_proba(x[:3]).tolist()})
json.dump({"x": x.tolist(), "y": y.tolist(), "weight": weight.tolist(), "fits": fits}, open("softmax.json", "w"))
print(np.bincount(y))
