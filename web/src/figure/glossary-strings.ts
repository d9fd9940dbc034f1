// What the words of the figure mean: loaded when somebody asks.

export const words = {
  fm: "A model that gives every feature a few numbers. The weight of a pair of features is the product of theirs.",
  linear: "A linear model: linear regression with small weights. It knows no pairs: at 100 % a model has learned nothing about them.",
  rank: "How many numbers FM gives each feature; iFM gives twice as many. Each adds one pattern.",
  pattern: "Features weighted together, such as tea +1, milk −1, lemon −1; here drawn at random. A table of pairs is a sum of patterns.",
  stem: "The strength of one pattern in a table of pairs, its eigenvalue: above zero if the features in it go together, below if they clash.",
  copies: "FM spends its numbers on copying a few rows of the truth, signs included. A higher rank copies more: try the slider, or give FM as many numbers as iFM.",
};
