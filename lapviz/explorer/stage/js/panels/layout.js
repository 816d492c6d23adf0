// Layout of the panels: columns, sizes, and the resolution of heat maps.

import contract from "../../../../contract.json";

const PANELS = contract.panels;
const GAP = 14; // pixels between panels
const LEAST = { few: 150, many: 104, pinned: 200 }; // least side of a picture before the page scrolls
export const AXIS = 34; // pixels beside a picture for a vertical axis with short words
const NARROW = 560; // pixels of width below which a stage is laid out for a phone

// Mark the stage as narrow or wide.
export function markSize(root) {
  root.dataset.size = root.clientWidth < NARROW ? "narrow" : "wide";
}

// width: of the stage; wish: requested columns (0: any); height: requested pixels (0: any);
// available: pixels from the first panel's head to the end of the window. count: number of panels,
// times: 2 with pinned copies, else 1. head: pixels above and below each picture. room: pixels for
// the vertical axis beside it. type: pixels of the smallest letters. bare: no axes, whatever
// the size. swiped: one panel at a time.
export function arrange(wishes) {
  const { width, wish, height, aspect, available, swiped = false, bare = false } = wishes;
  const { head = 44, room = AXIS, type = contract.type.least } = wishes;
  const [count, times] = swiped ? [1, 1] : [wishes.count, wishes.times ?? 1];
  const many = count > PANELS.many;
  const paired = count === 1 && times > 1; // an enlarged panel beside its copy
  const leastWidth = many ? PANELS.least_width_many : count > 1 || paired ? PANELS.least_width : 0;
  const natural = wish || (count <= PANELS.in_a_row ? count : PANELS.columns);
  const columns = paired ? fitting(width, leastWidth, 2) : columnsOf(width, count, natural, leastWidth);
  const rows = rowsInView(width, columns, paired ? 2 : count, paired ? 1 : times);
  const kind = many ? "many" : times > 1 && !paired ? "pinned" : "few";
  const [axes, least] = [!bare && !many, LEAST[kind] / Math.min(aspect, 1)];
  return inGrid({ width, available, columns, rows, head, height, least, aspect, axes, room, type });
}

// A picture with its margins in a grid of columns and rows. height: requested pixels of the picture, else it
// is as high as `available` allows, but at least `least`. axes: are there any if there is room for them?
export function inGrid({ width, available, columns, rows, head, height, least, aspect, axes, room, type }) {
  const outer = Math.floor((width - GAP * (columns - 1)) / columns);
  const hasAxes = axes && outer >= 200;
  const margin = hasAxes
    ? { left: room, right: 8, top: 1, bottom: type + 10 }
    : { left: 1, right: 1, top: 1, bottom: 1 };
  const [beside, above] = [margin.left + margin.right, margin.top + margin.bottom];
  const free = (available - GAP * (rows - 1)) / rows - head - above;
  const widest = Math.max(outer - beside, 40);
  const tallest = Math.max(height || Math.max(free, least), 1);
  const [w, h] = [Math.min(widest, tallest * aspect), Math.min(widest / aspect, tallest)].map(Math.floor);
  return {
    columns,
    gap: GAP,
    axes: hasAxes,
    box: { x: margin.left, y: margin.top, w, h },
    size: { width: w + beside, height: h + above },
  };
}

// As many columns as fit, without a row of two panels above one, or an uneven last row.
function columnsOf(width, count, natural, least) {
  const columns = fitting(width, least, Math.min(natural, count || 1));
  if (count <= PANELS.in_a_row && count % columns) {
    return fitting(width, PANELS.least_width_many, count) === count ? count : 1;
  }
  return count ? Math.ceil(count / Math.ceil(count / columns)) : 1;
}

function fitting(width, least, most) {
  if (!least) return 1;
  return Math.max(1, Math.min(most, Math.floor((width + GAP) / (least + GAP))));
}

// Rows that share the window's height: one if there is a single column; of many panels, those of the
// first ones; on a phone at most two.
function rowsInView(width, columns, count, times) {
  if (columns === 1) return 1;
  const rows = Math.ceil(Math.min(count, PANELS.first) / columns) * times;
  return width < NARROW ? Math.min(rows, 2) : rows;
}

// Pixels of a heat map before the browser scales it to its size: fewer while something moves.
export function detail(box, ratio, count, moving) {
  const still = count > PANELS.many ? PANELS.pixels_many : PANELS.pixels;
  return pixelsOf(box, ratio, moving ? (count > 3 ? 96 : 192) : still);
}

// Pixels of a box, at most `most` along a side.
export function pixelsOf({ w, h }, ratio, most) {
  const scale = ratio * Math.min(1, most / (ratio * Math.max(w, h)));
  return [w, h].map((side) => Math.max(2, Math.round(side * scale)));
}
