// What the words of the figure mean: loaded once its curves are there, for when somebody asks.

export const words = {
  fm: "Each feature has k numbers, its row of U. The weight of a pair is the product of its two rows, so that rows which are alike make it positive. All weights together, M, are UUᵀ without its diagonal.",
  ifm: "The paper’s improved factorization machine. Each feature has two rows of k numbers, one of U and one of V, and a pair may get a weight of either sign: M is UVᵀ without its diagonal.",
  interaction: "What two features do to the target together, beyond what each does alone. M holds a weight for each pair.",
  psd: "No eigenvalue is below zero. UUᵀ is always so, before its diagonal is left out.",
  rank: "The columns of U and V, k: how many patterns of features M is made of.",
  eigenvalue: "The weight of a pattern of features in M: above zero it raises the target, below zero it lowers it.",
  rmse: "Root mean squared error: how far a prediction is off, in units of the target. Test RMSE is taken over rows that no model has learnt from.",
  ridge: "Linear regression whose weights are kept small. It knows no interactions and is the line to beat. What does no better than the mean of the target has learnt nothing.",
};
