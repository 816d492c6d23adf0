// Points in space as discs, from the back to the front: smaller and fainter at the back.

import contract from "../../../../contract.json";
import { dotRadius, eachVisible } from "./marks.js";
import { addCircle, addLines, strokeWithHalo } from "./pen.js";
import { css, packed, unpacked } from "./colour.js";
import { blank } from "./dom.js";

const DOTS = contract.dots;
const LAYERS = 16; // layers of depth, with marks of different fading
const FADED = 0.65; // share of the page's colour in a mark at the very back
const RIM = { light: 0.3, dark: 0.14 }; // opacity of the lines' colour at the edge of a mark
const LARGER = 1.2; // than a dot in the plane
const MANY = 6000; // marks of all panels that are squares while they move, which are drawn faster

// Radius of a mark at medium depth, in pixels of the page.
export function markRadius(count, box) {
  return Math.min(Math.max(LARGER * dotRadius(count, box) * DOTS.enlarged, 2), 5);
}

// The points in the colours `words` (packed RGBA, one for each point), or all in a neutral colour (null). In a
// saved SVG they are an image: as thousands of shapes they would make a large file.
export function drawCloud(context, words, options) {
  if (!context.newPath) return drawMarks(context, words, options);
  const { box, ratio } = options;
  const size = { width: box.x + box.w, height: box.y + box.h };
  const sheet = document.createElement("canvas");
  drawMarks(blank(sheet, size, ratio), words, options);
  context.drawImage(sheet, 0, 0, size.width, size.height);
}

function drawMarks(context, words, { scene: { space, points }, view, box, theme, count, moving }) {
  const radius = markRadius(points.count, box);
  const squares = moving && count * points.count > MANY;
  const colours = new Map(); // by colour and layer
  const faded = (word, layer) => {
    const share = FADED * (1 - (layer + 0.5) / LAYERS) ** 1.3;
    return css(unpacked(word).map((c, i) => c + (theme.background[i] - c) * share));
  };
  Object.assign(context, { strokeStyle: css(theme.line, theme.dark ? RIM.dark : RIM.light), lineWidth: 1 });
  const draw = (x, y, i) => {
    const layer = Math.min(Math.max((space.near[i] * LAYERS) | 0, 0), LAYERS - 1);
    const word = words ? words[i] : packed(theme.text);
    const key = word * LAYERS + layer;
    if (!colours.has(key)) colours.set(key, faded(word, layer));
    const r = radius * space.scale(space.near[i]);
    context.fillStyle = colours.get(key);
    if (squares) return context.fillRect(x - r, y - r, 2 * r, 2 * r);
    context.beginPath();
    addCircle(context, x, y, r - 0.5);
    context.fill();
    context.stroke();
  };
  eachVisible(points, view, box, radius, draw, space.order);
}

// The directions of the data's axes, in the lower left corner.
export function drawTriad(context, space, box, theme, names) {
  const small = box.w < 200;
  const length = small ? 13 : 24;
  const reach = length + (small ? 4 : 16);
  const [x, y] = [box.x + reach, box.y + box.h - reach];
  Object.assign(context, { font: `12px ${theme.font}`, textAlign: "center", textBaseline: "middle" });
  const [right, up, front] = space.matrix;
  const order = [0, 1, 2].sort((a, b) => front[a] - front[b]);
  for (const axis of order) {
    const [u, v] = [right[axis] * length, -up[axis] * length];
    const opacity = 0.85 + 0.15 * front[axis];
    context.beginPath();
    addLines(context, [[x, y], [x + u, y + v]]);
    context.lineCap = "round";
    strokeWithHalo(context, theme, [4, 0.8], 1.5, css(theme.text, opacity));
    if (small) continue;
    const away = 1 + 10 / Math.max(Math.hypot(u, v), 9);
    const place = [names[axis], x + away * u, y + away * v];
    Object.assign(context, { strokeStyle: css(theme.halo, 0.85), lineWidth: 3.5 });
    context.strokeText(...place);
    context.fillStyle = css(theme.text, opacity);
    context.fillText(...place);
  }
}
