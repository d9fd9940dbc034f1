// What the words of the figure mean: loaded when somebody asks.

export const words = {
  all: [
    ["RMSE", "Root mean squared error: how far a prediction is off, in units of the target. Test RMSE is taken over rows that no model has learnt from."],
    ["Ridge regression", "Linear regression whose weights are kept small. It knows no interactions and is the line to beat. What does no better than the mean of the target has learnt nothing."],
    ["Interaction", "What two features do to the target together, beyond what each does alone. M holds a number for each pair."],
    ["FM", "Factorization machine: M is UUᵀ without its diagonal."],
    ["iFM", "The paper’s improved form: M is UVᵀ without its diagonal."],
    ["gFM", "The generalized form: M is UVᵀ with its diagonal, a weight for each feature’s square. Choose it among the models."],
    ["Rank k", "The columns of U and V: how many patterns of features M is made of."],
    ["Eigenvalue", "The weight of such a pattern in M: above zero it raises the target, below zero it lowers it."],
    ["PSD", "Positive semidefinite: no eigenvalue below zero."],
    ["λ", "The penalty on the size of U and V, which keeps a model from learning noise; chosen on rows set aside for it."],
  ] as const,
};
