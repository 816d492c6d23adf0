// Modules for tests, which load them as window.stageModules.

export * as channel from "./channel.js";
export * as codes from "../numbers/codes.js";
export * as colour from "../paint/colour.js";
export * as contours from "../paint/contours.js";
export * as decode from "./decode.js";
export * as drawing from "../numbers/drawing.js";
export * as eigen from "../numbers/eigen.js";
export * as formulas from "../numbers/formulas.js";
export * as hover from "../hands/hover.js";
export * as labels from "../numbers/labels.js";
export * as layout from "../panels/layout.js";
export * as linalg from "../numbers/linalg.js";
export * as page from "./page.js";
export * as raster from "../paint/raster.js";
export * as scene from "./scene.js";
export * as paths from "../numbers/paths.js";
export * as space from "../numbers/space.js";
export * as view from "../numbers/view.js";
