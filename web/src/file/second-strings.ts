// The words about a second file.
export const second = {
  asks: (file: string, open: string) => `${file} has columns of ${open}. What should happen with its rows?`,
  tests: "Use it as the test set",
  below: "Put its rows below",
  instead: "Open it instead",
  leave: "Leave it",
  remove: "Remove it",
  removeOf: (file: string) => `Remove ${file}`,
  joined: { tests: (file: string) => `The test rows are those of ${file}. All other rows train or validate. Line numbers continue from the first file.`, below: (file: string) => `The rows of ${file} come below. Line numbers continue from the first file.` },
};
