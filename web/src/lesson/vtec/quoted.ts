// Table 1 of the paper, as printed: nothing here is computed.

export const methods = ["ridge", "lasso", "elasticnet", "kernel", "fm", "ifm"] as const;

/** Methods that the paper does not have in its table. */
export const references = ["gfm", "cubic", "kriging"] as const;
export type Method = (typeof methods)[number] | (typeof references)[number];

/** Whether the paper's table has a method. */
export function inPaper(method: string): boolean {
  return (methods as readonly string[]).includes(method);
}

/** RMSE, in the paper's units, in the order of methods. */
export const days: readonly (readonly number[])[] = [
  [0.02161, 0.0226, 0.02222, 0.0257, 0.02178, 0.02164],
  [0.0143, 0.01461, 0.01454, 0.01683, 0.01439, 0.01404],
  [0.01508, 0.01524, 0.01496, 0.01875, 0.01484, 0.01484],
  [0.01449, 0.01487, 0.0146, 0.01564, 0.01432, 0.01423],
  [0.0161, 0.01579, 0.01612, 0.01744, 0.01606, 0.01567],
  [0.01487, 0.01491, 0.01483, 0.01684, 0.0147, 0.01459],
  [0.01828, 0.01849, 0.01827, 0.02209, 0.0183, 0.01805],
  [0.01461, 0.01552, 0.01519, 0.01629, 0.01466, 0.01453],
  [0.01657, 0.01646, 0.01639, 0.02096, 0.01646, 0.01636],
];

export const average: readonly number[] = [0.01621, 0.0165, 0.01635, 0.01895, 0.01617, 0.01599];

/** The share of positions within 1 cm, by a commercial engine. */
export const rtk: readonly number[] = [0.6267, 0.6218, 0.6307, 0.5209, 0.631, 0.6444];
