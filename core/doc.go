// Package core is the front door: it turns a [spec.Spec], and a table where the
// Spec asks for one, into runs that are stepped one record at a time.
//
//	run, err := core.Open(s, cell, table)
//	for !run.Done() {
//		record, err := run.Next()
//		...
//	}
//
// The way of a cell:
//
//	File ─ task.Read ─> table ─ task ─> trial ─ train ─> Records
//	                                      └─────> assess: cross-validation, intervals, baselines
//	                                              saved: predict, explain, export
//
// A Spec names independent cells, one model on one trial each; [Cells] counts
// them. Cells share no state, so any number of them may run at once, in any
// order, on any number of machines, and give the same bits.
//
// CONTRIBUTING.md maps the packages and says how to add a baseline.
//
// The rest of this page is the paper made implementable: Lin et al., "Which
// Factorization Machine Modeling is Better: A Theoretical Answer with Optimal
// Guarantee", AAAI-19. Comments all over the code cite its numbers:
//
//	Eq. 1    y = xᵀw* + xᵀM*x, rank(M*) ≤ k            Eq. 7    𝓜
//	Eq. 2    FM: M* = U*U*ᵀ − diag(U*U*ᵀ)              Eq. 8    G
//	Eq. 3    Rendle's sum over i < j                   Eq. 9    H
//	Eq. 4    gFM: M* = U*V*ᵀ                           Eq. 10   𝓦
//	Eq. 5    y = Xᵀw* + 𝒜(M*)                          Eq. 11   𝒜′𝒜(M)/n ≈ 2M
//	Eq. 6    the squared loss, over 2n                 Eq. 12   iFM: M* = U*V*ᵀ − diag(U*V*ᵀ)
//
//	Proposition 1   gFM on {−1, +1}ᵈ                   Lemma 5   𝒜′Xᵀ and P0, P1, P2
//	Definition 2    the moment-invertible property     Lemma 6   G and H
//	Theorem 3       Algorithm 1's rate                 Lemma 7   𝓜 and 𝓦
//	Theorem 4       𝒜′𝒜 (Shift CI-RIP)                Appendices B to F   the proofs of 4, 5, 6, 7, 3
//
// # Notation
//
// X, or Z where its columns are scaled, is the n×d design matrix, a row per
// instance; the paper's X is its transpose. U and V are d×k factor matrices, k
// the rank, M the d×d interaction matrix. Only its symmetric part
// sym(M) = (M + Mᵀ)/2 counts, and sym(UVᵀ) has rank 2k in general: what the paper
// calls k in Algorithm 1, the rank of a symmetric M*, is 2k for M* = U*V*ᵀ. A
// star marks the truth; r = f − y; ∘ multiplies element by element and X² is
// X∘X.
//
// # Models
//
//	f(x) = b + xᵀw + xᵀMx
//	FM    M = UUᵀ − diag(UUᵀ)        conventional (Eq. 2)
//	gFM   M = UVᵀ                    generalized, the diagonal kept (Eq. 4)
//	iFM   M = UVᵀ − diag(UVᵀ)        improved: decoupled, zero diagonal (Eq. 12)
//
// The bias b is ours: the paper has none. With P = (U+V)/2 and Q = (U−V)/2,
//
//	sym(UVᵀ) = PPᵀ − QQᵀ
//
// so iFM of rank k is every S − diag(S) with S symmetric and of at most k
// positive and k negative eigenvalues. FM has no Q: that is its bias towards
// positive y. With three features and rank 1 the product m₁₂m₁₃m₂₃ is (u₁u₂u₃)² ≥ 0: FM
// has every point whose product is positive, of those with product 0 only the ones with
// two zeros, and comes near the others as ‖u‖ → ∞ alone. A truth of negative product is
// its smallest |m| away, and leaves FM no minimum
// (TestRankOneReachesThePairsWhoseProductIsNotNegative,
// TestFMsRunGoesToABoundaryThatItDoesNotReach); iFM of rank 1 has all points. All three are
// closed under centring and scaling the columns: a model over z = (x−μ)/s is one of the same
// kind and rank over x.
//
// A table's target of two values is two classes ([roles.Plan.Classes]): f is then the
// log-odds of the second, models minimise the logistic loss log(1 + eᶠ) − yf with y 0 or
// 1, predict the probability 1/(1 + e⁻ᶠ), and are judged by its mean log-loss
// ([train.Run.Measure]). Which class is called the second turns the sign of M, which iFM does
// not mind and FM does. Validation rows may show that f is off by a factor and an
// offset; it is then calibrated by them ([measure.Calibration]).
//
// Three to thirty texts are classes, too, or whole numbers that the settings call categorical.
// Each has a score fₖ, a model of its own with the encoding, rank and penalties of all. They
// minimise the softmax loss log Σⱼ e^fⱼ − f_y and predict the probabilities e^fₖ/Σⱼ e^fⱼ, which
// a factor calibrates. ALS alone fits them, one class after another ([solve.ALS]); ridge is
// [linear.Softmax], trees are grown for one class against the rest.
//
// # One-hot columns
//
// A row has one level of each column. So M within a column is never seen: FM may put
// there what it likes, and only the doubly centred part of the other blocks counts. Let m
// columns have the blocks M_gh = S_gh·A_g·A_hᵀ, g ≠ h, with signs S and factors A_g of k
// columns that are independent once centred. The test is in blocks_test.go.
//
//   - Two columns: FM of rank k represents every matrix ABᵀ, of either sign, as A and B. Tables of
//     users and items never meet the bias.
//   - FM of any rank that represents the blocks has U_g = A_gT_g with T_gT_hᵀ = S_gh·I. At rank k
//     the T are square, and S_gh·S_gi·S_hi must be 1 for every three: S_gh = c_g·c_h, two
//     groups of columns. That is structural balance (Harary, On the notion of balance of a
//     signed graph, 1953). Then U_g = c_g·A_g.
//   - Three columns whose product is −1 take rank 2k, no less.
//   - If S off its diagonal has the products of vectors c_g of length r, A_g ⊗ c_g is an FM of
//     rank r·k. r = m − 1 always does: S − λmin·I, whose diagonal no row sees. One flipped
//     block takes 2 for any m, all flipped blocks take m − 1.
//   - iFM of rank k represents one flipped block, all flipped ones, and every S of four columns or
//     fewer. In general it takes k times the larger number of positive or negative
//     eigenvalues that S can have with a diagonal of choice, or less.
//   - iFM of rank k has 2k numbers a level, like FM of rank 2k. So at equal numbers FM represents
//     all blocks of three columns, and one flipped block of any number of columns. All
//     flipped blocks of four columns or more are out of its reach.
//
// On 12 levels a column, k = 2, and no noise, the error is this share of the linear model's
// (seeds 1 and 2, n = 4000, 1500 iterations of agd):
//
//	                            rank 1     rank 2     rank 3     rank 4     rank 6
//	3 columns, 1 flipped   FM   .66 .68    .53 .44    .27 .34    0          0
//	                      iFM   .30 .24    0
//	4 columns, 1 flipped   FM   .87 .74    .58 .46    .33 .22    0          0
//	                      iFM   .56 .51    0
//	4 columns, 6 flipped   FM   .85 .82    .73 .55    .48 .42    .34 .24    0
//	                      iFM   .47 .36    0
//
// Dense columns have no unseen blocks but the diagonal, and equal numbers help FM little: for
// d = 30 and k = 3, all signs flipped, it is left with 79 % at rank 3, 63 % at rank 6, which
// has iFM's numbers, 34 % at 12, 13 % at 20, and nothing at 28 (means of three seeds,
// n = 6000, 1000 iterations).
//
// # Moments
//
// Of a column scaled to mean 0 and variance 1 (Definition 2, package moment):
//
//	κ = E x³    φ = E x⁴    τ = |φ − 1 − κ²|
//
// These are raw moments: what libraries call skewness and excess kurtosis may be
// corrected for bias and lessened by 3 (TestMomentsAreRawAndNotGonums).
// φ ≥ 1 + κ² for every distribution, with equality for two values and no others:
// every ±1, binary or one-hot column has τ = 0. There x² is affine in x, and the
// diagonal of M merges into w and b. gFM needs τ > 0, iFM and FM do not.
//
// # Algorithm 1, corrected
//
// For independent columns of mean 0 and variance 1, over a batch of n rows:
//
//	P0 = mean(r)    P1 = Xᵀr/n    P2 = (X²)ᵀr/n − P0    H(r) = Xᵀdiag(r)X/(2n)
//
//	⎡ 1   κⱼ     ⎤        ⎡ κⱼ     ⎤    ⎡ 1   κⱼ     ⎤        ⎡ 1 ⎤
//	⎣ κⱼ  φⱼ − 1 ⎦ Gⱼᵀ =  ⎣ φⱼ − 3 ⎦    ⎣ κⱼ  φⱼ − 1 ⎦ Hⱼᵀ =  ⎣ 0 ⎦        (Eqs. 8 and 9)
//
//	gFM   𝓜(r) = H(r) − ½P0·I − ½diag(G₁∘P1 + G₂∘P2)    𝓦(r) = H₁∘P1 + H₂∘P2    (Eqs. 7 and 10)
//	iFM   𝓜(r) = H(r) − diag                             𝓦(r) = P1
//
// with G₁, G₂, H₁ and H₂ the columns of G and H. In expectation, 𝓜(r) is
// sym(M) − M* and 𝓦(r) is w − w*. It starts from w = 0, V = 0 and Ū, the k
// eigenvectors of 𝓜(y) with the largest |eigenvalues|, predicts with ŪVᵀ, and
// takes with one residual an iteration
//
//	U = V − 𝓜Ū    Ū⁺ = qr(U)    V⁺ = V(ŪᵀŪ⁺) − 𝓜Ū⁺    w⁺ = w − 𝓦
//
// For gFM H(r − P0) in place of H(r) − ½P0·I has the same expectation and less
// noise, since it leaves out P0 times the columns' chance correlations (package
// solve, TestCentringTakesNoiseFromTheFirstIterations); that is the solver
// "centred". P2 − κP1 is the mean of u·r, u = x² − 1 − κx, and
// Var u = τ: with true moments noise of √(τ/n) is divided by τ, so τn has
// to be large. Estimated ones are refused below 1/√n, so there τ√n has to be
// (TestTheLeastTauFallsLikeOneOverTheRowsWithTrueMomentsAndLikeTheirRootWithEstimated).
//
// The model it has learnt is sym(ŪVᵀ). It is [solve.Algorithm1], which refuses
// columns that are plainly not independent, because it diverges on them; the
// other solvers ask nothing of the columns.
//
// # What is proved
//
// Theorem 4 (Shift CI-RIP): where d ≥ (2 + ‖φ−3‖∞)², and M is symmetric, of rank k,
// and independent of the rows,
//
//	𝒜′𝒜(M)/n = 2M + tr(M)I + diag((φ−3)∘diag(M)) + O(δ‖M‖₂)    n ≥ c(√k + |tr(M)|/‖M‖₂)²d/δ²
//
// with c the logarithms. The first three terms are exact in expectation, and the
// fourth has the size that it says (TestTheOperatorMovesAsTheorem4Says). With a
// zero diagonal 2M is left, which is Eq. 11.
//
// Theorem 3: let ε = ‖w − w*‖₂ + ‖sym(M) − M*‖₂, let σ be the singular values of M*,
// and let 𝓜 and 𝓦 be within δε of their expectations in every iteration. Then
//
//	ε_t ≤ ((2√5σ₁/σ_k + 2)δ)ᵗ ε₀    δ ≤ min{1/(2√5σ₁/σ_k + 2), σ_k/(2√5ε₀)}
//
// How many rows make a δ the paper says with constants that it does not give,
//
//	n ≥ C(p+1)²max{p/τ², (√k + |tr(M)|/‖M‖₂)²d}/δ²    p = max{1, ‖κ‖∞, ‖φ−3‖∞, ‖φ−1‖∞}
//
// and with a proof that has gaps: 6 and 7 below. gFM has been measured to follow
// 1/√n (package solve, TestCorrectedAlgorithm1ConvergesAtTheTheoremsRate); iFM
// does not: 19.
//
// # Misprints, and claims that do not hold
//
// Each is followed by the test that shows it, in this package unless it says
// otherwise; those at the top are in core_test.go beside the README.
//
//  1. Paper: Eq. 3 is equivalent to Eq. 1 with Eq. 2; here: Eq. 1, because the
//     sum over i < j is half of it, so that libFM's factors are √2 times ours
//     (TestRendlesSumIsHalfOfThePapersModel).
//  2. Paper: rank(M*) ≤ k in Eq. 1; here: k is the rank before the diagonal is
//     removed, because Eqs. 2 and 12 leave, in general, a matrix of full rank. Theorem 4
//     does not cover it, and where d > 2k no gFM of rank k writes it; of two
//     columns uvᵀ does (TestAMatrixWithoutItsDiagonalHasNotTheRankThatEq1Asks,
//     TestOfTwoColumnsOneProductWritesWhatFMDoes).
//  3. Paper: k is the rank of M* = U*V*ᵀ, and that it be symmetric "does not
//     matter"; here: Algorithm 1's k is the rank of sym(M*), because 𝓜 is
//     symmetric and has up to 2k singular vectors to find
//     (TestTwoFactorsAreOnePositiveAndOneNegative).
//  4. Paper: Definition 2 allows τ = 0; here: τ above a floor, because every
//     distribution has τ ≥ 0
//     (TestColumnsOfTwoValuesHaveNoMomentInvertibility; package moment,
//     TestEliminationWeightsRejectsWhatTheFloorDoes).
//  5. Paper: xᵀM*x = tr(M*) on {−1, +1}ᵈ proves Proposition 1; here: the diagonal
//     alone is out of reach, because that equality needs a diagonal M*. A low rank that
//     spreads over the columns tells it, one with an eigenvector e₁ does not
//     (TestOnSignsTheSquaresSayNothing; at the top,
//     TestColumnsOfTwoValuesHideTheDiagonalAndNotThePredictions).
//  6. Paper: Theorem 3 asks for max(k²d, 1/τ²) rows, the abstract for k²d/τ²; here:
//     the proof, once mended, gives the abstract's, because Lemma 7's leaves out
//     G*∘(P − P*), up to 2δ/τ where P is off by δ. Fewer do: with true moments what is
//     divided by τ is mean(ur), u = x² − 1 − κx, which is off by √(τ/n) and not by δ
//     (TestTrueMomentsDoNotFreeTheStepFromTau).
//  7. Paper: Lemma 6 has ‖G − G*‖∞ ≤ δ from n ≥ C(1 + q/τ)/(τδ²) on, q² = κ² + (φ−3)²;
//     here: its proof gives C(1 + q/τ)²/(τδ)², because a square gets lost on the last
//     line. For columns of three points G₂ is off by 2τ^(−3/2)/√n: n grows like
//     1/τ³, more than is printed
//     (package moment, TestTheErrorOfTheWeightsOutgrowsLemma6).
//  8. Paper: 𝒜 maps into Rᵈ; here: into Rⁿ, because it has a number a row
//     (package solve, TestAlgorithm1StepsAsItsDefinition).
//  9. Paper: 𝓗(z) = 𝒜′𝒜(z)/(2n); here: 𝒜′(z)/(2n), because z is in Rⁿ already
//     (the same).
//  10. Paper: G₁ and G₂ appear undefined in Eq. 7, and H₁ and H₂ in Eq. 10; here:
//     they are columns, because Eqs. 8 and 9 define the rows (the same).
//  11. Paper: Algorithm 1 predicts with UVᵀ, and the limits of P0, P1 and P2 have
//     index t; here: ŪVᵀ, and t−1, because Appendix F needs M = ŪVᵀ, and the
//     residual is taken before the step (the same).
//  12. Paper: 𝓜 of Eq. 7 has no −½P0·I; here: it has, because H(r) holds ½tr(M−M*)I,
//     which the paper's own F names and G cannot cancel; left there, the error of
//     the trace is multiplied by −k/2 in every iteration
//     (TestEliminationGivesBackTheErrors; at the top,
//     TestAlgorithm1DivergesAsPrintedAndConvergesAsCorrected).
//  13. Paper: Appendix E writes G for H in 𝓦; here: H as in Eq. 10, because G would
//     not give w − w* (TestEliminationGivesBackTheErrors).
//  14. Paper: Lemma 5 has the vector D(κ*)w for 𝒜′(Xᵀw)/n; here: the matrix
//     diag(κ*∘w), because 𝒜′ maps into matrices
//     (TestEliminationGivesBackTheErrors).
//  15. Paper: Algorithm 1 starts from 𝓜(y); here: too, although the residual is
//     −y, because the sign moves no eigenvector
//     (package solve, TestAlgorithm1StartsFromTheTopEigenvectors).
//  16. Paper: Lemma 7 gives 𝓜 = M − M*, and Theorem 3 bounds ‖M − M*‖ for M = ŪVᵀ;
//     here: both for sym(M), because rows see no more: an antisymmetric part of
//     ŪVᵀ, once there, stays (TestRowsSeeOnlyTheSymmetricPart).
//  17. Paper: ‖A⁻¹‖ ≤ 1/τ in Appendix D, A the matrix of Eq. 8; here: ‖A⁻¹‖ =
//     λmax(A)/τ, because τ is the determinant, and for Gaussian columns λmax is 2
//     (TestTheInverseMomentsAreBoundedByLambdaMaxOverTau).
//  18. Paper: Theorem 4 and Lemma 5 ask for n in terms of |tr(M)|; here:
//     |tr(M)|/‖M‖₂, as in Appendix B, because scaling M changes nothing
//     (TestTheOperatorMovesAsTheorem4Says).
//  19. Paper: with a zero diagonal, Theorem 3's rate, which goes to 0 as n grows,
//     follows from Eq. 11 at once; here: that of iFM's Algorithm 1 stays above
//     λmax(2diag(P) − P∘P), P the projector on the range of sym(U*V*ᵀ), because
//     the diagonal of UVᵀ is not observed and its error is fed back; eigenvalues
//     of 1, of ranks near d, count for nothing
//     (at the top, TestIFMsRateHasAFloorThatNoNumberOfRowsLowers; [trial.Theory]
//     reports it).
//  20. Paper: iFM is uniformly better in Table 1; here: on average, because Ridge
//     is ahead on TestDay1 and FM level on TestDay3 (TestTable1DoesNotBearItsInterval).
//  21. Paper: three cross-references go astray in print; here: "Eq. (4) already
//     shows" is Eq. 11, "the proof of Theorem 1" that of Theorem 3, and Appendix
//     E's "Algorithm 3" is Algorithm 1, because their labels were mixed up.
//  22. Paper: UUᵀ is positive semidefinite, which costs FM interactions of the
//     other sign; here: at low rank, because the diagonal is left out: M − λmin(M)I
//     has rank d − 1, so d − 1 columns write any M, at the price of as many
//     numbers (TestOneColumnLessThanAllWritesAnyMatrix; at the top,
//     TestTheSignConstraintIsOneOfLowRank). A column that is c at feature j and M_ij/c at
//     the others i writes row j of M, of whichever sign: c² goes to the diagonal, and
//     other pairs are off by M_ij·M_lj/c². r of them write r rows
//     (TestCrossesCopyARowEach). d − 2 columns write M if for some
//     three features M_ij·M_jl·M_il is positive, come as near as one likes where it is
//     0, and do not where it is negative for every three, which is where M is negative
//     in all pairs once some features are turned round. One in 8 choices of signs is so
//     for d = 4, one in 64 for d = 5
//     (TestRankOneReachesThePairsWhoseProductIsNotNegative for d = 3; crosses for the
//     other features do the rest. Where M is negative in all pairs, M + D without a
//     negative eigenvalue is a multiple of I less a matrix of positive entries, whose
//     largest eigenvalue is simple by Perron and Frobenius, so its rank is d − 1 or
//     more). Small c costs accuracy elsewhere, large c takes descent many steps, as c² has no bound.
//  23. Paper: a zero diagonal makes the second derivative in U indefinite, which speaks for
//     keeping the diagonal; here: it does so for UUᵀ, whose f has 2(xxᵀ − diag(x²)), and
//     does no harm to one of two factors: in U alone and in V alone the loss of gFM and of
//     iFM is convex. Section 3 removes the diagonal without coming back to it
//     (TestRemovingTheDiagonalBendsTheLossDown).
//  24. Paper: Table 1's averages have a 95 % interval within 1e-5; here: 4e-5 is the least
//     that 12960 independent minutes could have, because the nine days alone spread by
//     .0023. "Statistically significant" needs pairs: by day, iFM is ahead of Ridge by
//     .00022 ± .00010 and of FM by .00017 ± .00010; RTK has none to look at. Ours on
//     simulated days, .0017 ± .0007 ahead of Ridge on seed 1, is printed by "go run
//     ./core/cmd/ifm table1" (TestTable1DoesNotBearItsInterval).
//  25. Paper: the best rank is 2 for FM and 6 for iFM; here: 3 and 10, the edge of the
//     paper's grid, on other data, and 9 and 3 with two systems of satellites: it belongs
//     to the data and not to the model (TestTheRanksOfTheIonosphereAreNotThePapers).
//
// # Randomness
//
// Every draw comes from a PCG stream named by the seed, the trial and a
// purpose ([Stream]). Truth, rows and split belong to the trial, so all models
// of a trial see the same table; the start belongs to the trial and the model,
// so a curve does not change when another model is added beside it. More
// training rows leave the test rows as they were, and no start can resemble a
// truth that was drawn from the same numbers.
//
// # The same numbers
//
// The same Spec, seed and [Version] give the same bits in every browser and under
// js/wasm on every machine, with SIMD and without. "make engines" has each experiment of
// the table run by the page's own workers in Chromium, with SIMD and without, in Firefox
// and in WebKitGTK, and by Node with SIMD and without. A native build comes as near as
// the table says, as a share of a value or of where its curve starts, because some
// processors fuse a multiplication and an addition, and some have an exponential
// function of their own (TestGoldenRecordsKeepTheirBitsUntilVersionChanges). 1e-10 is
// what the eleven digits tell that each value is pinned with; one fit of iFM to maps of
// the ionosphere, which are read from a file, makes 1.6e-8 of arm64's fused roundings.
//
//	                                        Specs  records  WebAssembly  amd64  arm64
//	the figure, by every solver                19      344     the same  1e-10  1e-10
//	columns of every distribution               9      136     the same  1e-10  1e-10
//	one-hot columns with flipped blocks         2       44     the same  1e-10  1e-10
//	the diagonal and τ, Algorithm 1             6       77     the same  1e-10  1e-10
//	how many samples, and how small a τ         2       80     the same  1e-10  1e-10
//	a truth in pairs: reach, the loophole       2      124     the same  1e-10  1e-10
//	the contest of Break it yourself            2        2     the same  1e-10  1e-10
//	a table                                    11      834     the same  1e-10  1e-10
//	two classes, folds                          3      169     the same  1e-10  1e-10
//	pairs and intervals of a table              2        2     the same  1e-10  1e-10
//	boosted trees of a table                    2        2     the same  1e-10  1e-10
//	vTEC, simulated                             4       47     the same  1e-10  1e-10
//	vTEC, from files                            3       14     the same  1e-10  1e-7
//
// Package estimator and the command ifm are native: their predictions differ from the
// page's by no more than the columns amd64 and arm64 say.
package core
