// What the bundle exports: the mount of the code, and every module of the stage for its tests. In a
// page that was saved it opens the stage itself.

import * as accuracy from "./accuracy.js";
import * as aim from "./aim.js";
import * as alone from "./alone.js";
import * as anchor from "./anchor.js";
import * as cloud from "./cloud.js";
import * as codes from "./codes.js";
import * as colour from "./colour.js";
import * as contours from "./contours.js";
import * as curve from "./curve.js";
import * as curveHandles from "./curve_handles.js";
import * as decode from "./decode.js";
import * as draw from "./draw.js";
import * as drawBrush from "./draw_brush.js";
import * as drawing from "./drawing.js";
import * as eigen from "./eigen.js";
import * as filters from "./filters.js";
import * as formula from "./formula.js";
import * as formulas from "./formulas.js";
import * as images from "./images.js";
import * as knob from "./knob.js";
import * as labels from "./labels.js";
import * as layout from "./layout.js";
import * as linalg from "./linalg.js";
import * as main from "./main.js";
import * as modes from "./modes.js";
import * as near from "./near.js";
import * as numbers from "./numbers.js";
import * as snapshot from "./snapshot.js";
import * as pictureStrokes from "./picture_strokes.js";
import * as raster from "./raster.js";
import * as ridge from "./ridge.js";
import * as scene from "./scene.js";
import * as share from "./share.js";
import * as space from "./space.js";
import * as swipe from "./swipe.js";
import * as view from "./view.js";

export const modules = {
  accuracy,
  aim,
  alone,
  anchor,
  cloud,
  codes,
  colour,
  contours,
  curve,
  curveHandles,
  decode,
  draw,
  drawBrush,
  drawing,
  eigen,
  filters,
  formula,
  formulas,
  images,
  knob,
  labels,
  layout,
  linalg,
  main,
  modes,
  near,
  numbers,
  snapshot,
  pictureStrokes,
  raster,
  ridge,
  scene,
  share,
  space,
  swipe,
  view,
};
export default main.mount;
alone.openPage();
