// Joins a decoded answer and the static part that it refers to into the scene that the stage draws.

import { AdjustedModel } from "../numbers/adjusted.js";
import { compileFilters } from "../numbers/formulas.js";
import { fromRow } from "../numbers/labels.js";
import { prepareModes } from "../numbers/modes.js";
import { RidgeModel } from "../numbers/ridge.js";
import { Space } from "../numbers/space.js";
import { ShortestPaths } from "../numbers/paths.js";

// Grid, points with their count and the position of every drawn row, modes: prepared once.
function prepared(staticPart) {
  if (staticPart.prepared) return staticPart.prepared;
  const { grid, landmarks, points: sent } = staticPart;
  const count = sent.index.length;
  const xy = sent.xy ?? new Float32Array(2 * count); // of points in space: their projection
  const position = new Map(Array.from(sent.index, (row, i) => [row, i]));
  const paths = grid ? new ShortestPaths({ xy, count }) : null; // for data in a plane
  const points = { ...sent, xy, count, position, paths };
  const space = sent.xyz ? new Space(sent.xyz, xy) : null;
  const modes = staticPart.modes.map((raw) => prepareModes(raw, grid, points));
  return (staticPart.prepared = { grid, points, modes, space, landmarks });
}

export function makeScene(answer, staticPart) {
  const { grid, points, modes, space, landmarks } = prepared(staticPart);
  const labels = answer.labels.map(fromRow);
  const view = space?.view ?? widened(answer.view);
  const scene = { ...answer, labels, grid, points, space, landmarks, view };
  scene.hide = new Set(answer.hide);
  // If the label tools are hidden, clicks and keys do not change labels either.
  scene.editable = answer.editable && !scene.hide.has("labels");
  scene.filters = compileFilters(answer.filters);
  scene.models = answer.panels.map((panel) => makeModel(panel, scene, modes));
  return scene;
}

function makeModel(panel, scene, modes) {
  const spec = panel.model;
  if (!spec) return null;
  if (spec.is === "ridge") return new RidgeModel(spec, scene);
  const { labels, lam } = scene;
  const { grid, points } = panel;
  const anchor = { labels, lam, filter: scene.filters[scene.filter], grid, points };
  return new AdjustedModel(modes[spec.modes], spec, scene, panel.note || !points ? null : anchor);
}

// A view no flatter or steeper than 1 : 2.5, and never empty.
export function widened([x0, x1, y0, y1]) {
  let w = Math.max(x1 - x0, 1e-9);
  let h = Math.max(y1 - y0, 1e-9);
  h = Math.max(h, w / 2.5);
  w = Math.max(w, h / 2.5);
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return [x - w / 2, x + w / 2, y - h / 2, y + h / 2];
}
