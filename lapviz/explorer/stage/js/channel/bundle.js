// What the bundle exports: the mount of the code, and every module of the stage for its tests. In a
// page that was saved it opens the stage itself.

import * as accuracy from "../numbers/accuracy.js";
import * as aim from "../hands/aim.js";
import * as alone from "../panels/alone.js";
import * as anchor from "../numbers/anchor.js";
import * as channel from "./channel.js";
import * as cloud from "../paint/cloud.js";
import * as codes from "../numbers/codes.js";
import * as colour from "../paint/colour.js";
import * as contours from "../paint/contours.js";
import * as curve from "../panels/curve.js";
import * as curveHandles from "../hands/curve_handles.js";
import * as decode from "./decode.js";
import * as draw from "../hands/draw.js";
import * as drawBrush from "../hands/draw_brush.js";
import * as drawing from "../numbers/drawing.js";
import * as eigen from "../numbers/eigen.js";
import * as filters from "../numbers/filters.js";
import * as formula from "../bars/formula.js";
import * as formulas from "../numbers/formulas.js";
import * as images from "../paint/images.js";
import * as knob from "../bars/knob.js";
import * as labels from "../numbers/labels.js";
import * as layout from "../panels/layout.js";
import * as linalg from "../numbers/linalg.js";
import * as main from "./main.js";
import * as modes from "../numbers/modes.js";
import * as near from "../numbers/near.js";
import * as numbers from "../numbers/numbers.js";
import * as snapshot from "../paint/snapshot.js";
import * as pictureStrokes from "../numbers/picture_strokes.js";
import * as raster from "../paint/raster.js";
import * as ridge from "../numbers/ridge.js";
import * as scene from "./scene.js";
import * as share from "../bars/share.js";
import * as space from "../numbers/space.js";
import * as swipe from "../panels/swipe.js";
import * as view from "../numbers/view.js";

export const modules = {
  accuracy,
  aim,
  alone,
  anchor,
  channel,
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
