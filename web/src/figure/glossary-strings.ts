// What the words of the figure mean: loaded when somebody asks.

export const words = {
  fm: "A model that gives every feature a few numbers. A pair’s weight is the product of their numbers.",
  linear: "A linear model: linear regression with small weights. It ignores pairs, so a model at 100 % has learned nothing about them.",
  rank: "How many numbers FM gives each feature. iFM gives twice as many. Each rank adds one pattern to FM, and two to iFM: one of each sign.",
  pattern: "Features weighted together, such as tea +1, milk −1, lemon −1, here drawn at random. The matrix of pair weights is a sum of patterns.",
  stem: "The strength of one pattern: an eigenvalue of the matrix of pair weights. Above zero, two features whose numbers have the same sign go together. Below zero, they clash.",
  copies: "FM cannot match a pattern below zero. But it can get all pairs of a few features right, whatever their signs: see “FM’s loophole”. A higher rank gets more of them right. Try the slider, or give FM as many parameters as iFM.",
};
