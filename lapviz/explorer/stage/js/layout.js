// Where panels go: columns, sizes, and how many pixels a heat map deserves.

const GAP = 14;
export const AXIS = 34; // pixels beside a picture for a vertical axis with short words

// width: of the stage; wish: columns asked for (0: free); height: pixels asked for (0: free).
// room: pixels that the vertical axis takes beside the picture.
export function arrange({ width, count, wish, height, aspect, windowHeight, room = AXIS }) {
  const least = count > 6 ? 150 : count > 1 ? 215 : 0;
  const natural = wish || (count <= 3 ? count : 4);
  const fitting = least ? Math.max(1, Math.floor((width + GAP) / (least + GAP))) : 1;
  const columns = Math.max(1, Math.min(natural, fitting, count || 1));
  const outer = Math.floor((width - GAP * (columns - 1)) / columns);
  const axes = count <= 6 && outer >= 200;
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

// Pixels of a heat map before the browser smooths it to its place: fewer while things move.
export function detail(box, ratio, count, moving) {
  const most = moving ? (count > 3 ? 96 : 192) : count > 6 ? 200 : 420;
  const scale = Math.min(1, most / Math.max(box.w * ratio, box.h * ratio));
  return [
    Math.max(2, Math.round(box.w * ratio * scale)),
    Math.max(2, Math.round(box.h * ratio * scale)),
  ];
}
