// A decoded answer and the static part it refers to, joined into the scene that the stage draws.

import { Anchored, Balanced } from "../numbers/adjusted.js";
import { compileFilters } from "../numbers/formulas.js";
import { fromRow } from "../numbers/labels.js";
import { ModesModel, prepareModes } from "../numbers/modes.js";
import { RidgeModel } from "../numbers/ridge.js";
import { Space } from "../numbers/space.js";
import { Ways } from "../numbers/ways.js";

// The points with a count and the position of every data row that is drawn; made once.
function ready(lasting) {
  if (lasting.ready) return lasting.ready;
  const { xy, xyz, index, truth, images, notes } = lasting.points;
  const position = new Map();
  index.data.forEach((row, i) => position.set(row, i));
  const points = {
    xy: xyz ? new Float32Array(2 * index.data.length) : xy.data,
    index: index.data,
    truth: truth?.data ?? null,
    count: index.data.length,
    position,
    images,
    notes,
    ways: lasting.grid ? new Ways({ xy: xy.data, count: index.data.length }) : null, // of data in a plane
  };
  const space = xyz ? new Space(xyz.data, points.xy) : null;
  const modes = lasting.modes.map((raw) => prepareModes(raw, lasting.grid, points));
  const landmarks = lasting.landmarks?.data ?? null;
  lasting.ready = { grid: lasting.grid, points, modes, space, landmarks };
  return lasting.ready;
}

export function makeScene(answer, lasting) {
  const { grid, points, modes, space, landmarks } = ready(lasting);
  const labels = answer.labels.map(fromRow);
  const view = space?.view ?? widened(answer.view);
  const scene = { ...answer, labels, grid, points, space, landmarks, view };
  scene.hide = new Set(answer.hide);
  // Without the label tools, clicks and keys do not change the labels either.
  scene.editable = answer.editable && !scene.hide.has("labels");
  scene.filters = compileFilters(answer.filters);
  scene.models = answer.panels.map((panel) => makeModel(panel, scene, modes));
  return scene;
}

function makeModel(panel, scene, modes) {
  const spec = panel.model;
  if (!spec) return null;
  const nClasses = scene.classes.length;
  if (spec.is === "ridge")
    return new RidgeModel(spec, scene.grid, scene.points, nClasses, scene.mu);
  const Model = spec.balance ? Balanced : ModesModel;
  const model = new Model(modes[spec.modes], spec, scene.labels, nClasses, scene.data_term);
  if (panel.note || !panel.points) return model;
  const { labels, lam } = scene;
  const filter = scene.filters[scene.filter];
  const [grid, points] = [panel.grid?.data, panel.points.data];
  return new Anchored(model, { labels, lam, filter, grid, points });
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
