// Layout of the panels: columns, sizes, and the resolution of heat maps.

import contract from "../../../contract.json";

const PANELS = contract.panels;
const GAP = 14;
export const AXIS = 34; // pixels beside a picture for a vertical axis with short words

// width: of the stage; wish: columns asked for (0: free); height: pixels asked for (0: free).
// room: pixels that the vertical axis takes beside the picture.
// bare: no axes, whatever the size.
export function arrange({
  width,
  count,
  wish,
  height,
  aspect,
  windowHeight,
  bare = false,
  room = AXIS,
}) {
  const many = count > PANELS.many;
  const least = many ? PANELS.least_width_many : count > 1 ? PANELS.least_width : 0;
  const natural = wish || (count <= PANELS.in_a_row ? count : PANELS.columns);
  const fitting = least ? Math.max(1, Math.floor((width + GAP) / (least + GAP))) : 1;
  const columns = Math.max(1, Math.min(natural, fitting, count || 1));
  const outer = Math.floor((width - GAP * (columns - 1)) / columns);
  const axes = !bare && !many && outer >= 200;
  const margin = axes
    ? { left: room, right: 8, top: 1, bottom: 22 }
    : { left: 1, right: 1, top: 1, bottom: 1 };
  const most = height || Math.min(Math.max(0.68 * windowHeight, 320), 620);
  let w = Math.max(outer - margin.left - margin.right, 40);
  let h = w / aspect;
  if (h > most) [w, h] = [most * aspect, most];
  [w, h] = [Math.round(w), Math.round(h)];
  return {
    columns,
    gap: GAP,
    axes,
    box: { x: margin.left, y: margin.top, w, h },
    size: { width: w + margin.left + margin.right, height: h + margin.top + margin.bottom },
  };
}

// Pixels of a heat map before the browser scales it to its size: fewer while something moves.
export function detail(box, ratio, count, moving) {
  const still = count > PANELS.many ? PANELS.pixels_many : PANELS.pixels;
  const most = moving ? (count > 3 ? 96 : 192) : still;
  const scale = Math.min(1, most / Math.max(box.w * ratio, box.h * ratio));
  return [
    Math.max(2, Math.round(box.w * ratio * scale)),
    Math.max(2, Math.round(box.h * ratio * scale)),
  ];
}
