// In place of Observable Plot's projections of the globe: there is none, as in
// Plot's own for a chart that asks for none.

/** @returns {undefined} */
const none = () => undefined;

export const createProjection = none;
export const projectionAspectRatio = none;
export const xyProjection = none;
export const hasProjection = () => false;

const unused = () => {
  throw new Error("a chart with a projection needs Plot's own projection.js: see web/build/plot.go");
};

export const applyPosition = unused;
export const getGeometryChannels = unused;
export const project = unused;
