// In place of Observable Plot's colour schemes: charts take their colours from the
// page's style sheet.

const unused = () => {
  throw new Error("a chart with a colour scheme needs Plot's own schemes.js: see web/build/plot.go");
};

export const isCategoricalScheme = () => false;
export const isDivergingScheme = () => false;
export const maybeBooleanRange = unused;
export const ordinalRange = unused;
export const ordinalScheme = unused;
export const quantitativeScheme = unused;
