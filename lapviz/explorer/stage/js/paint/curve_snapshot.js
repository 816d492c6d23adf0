// What the curve stage shows as one picture: its charts as they are, with the styles written out.

import { css, makeTheme } from "./colour.js";
import { svg } from "./dom.js";
import { rasterised } from "./snapshot.js";

const PAD = 20; // pixels at the usual size
const ROW = 26;
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "font-size", "font-family", "font-weight", "opacity"],
];

// As a Blob, "png" or "svg", of width x height pixels.
export async function curvesOf(stage, kind, width, height) {
  const text = new XMLSerializer().serializeToString(draw(stage, width, height));
  const picture = new Blob([text], { type: "image/svg+xml" });
  return kind === "svg" ? picture : rasterised(picture, width, height);
}

function draw(stage, width, height) {
  const theme = makeTheme(stage.root);
  const frame = stage.charts.getBoundingClientRect();
  const words = { x: PAD, "font-family": theme.font, fill: css(theme.text) };
  const scale = Math.min(
    (width - 2 * PAD) / frame.width,
    (height - 2 * PAD - 2 * ROW) / frame.height,
  );
  const root = svg("svg", {
    ...{ xmlns: "http://www.w3.org/2000/svg", width, height, role: "img" },
    viewBox: `0 0 ${width} ${height}`,
  });
  const left = (width - scale * frame.width) / 2;
  const rest = height - 2 * PAD - 2 * ROW - scale * frame.height;
  const top = PAD + 2 * ROW + Math.max(rest / 2, 0);
  const all = svg("g", { transform: `translate(${left} ${top}) scale(${scale})` });
  for (const chart of stage.charts.querySelectorAll("svg.chart")) {
    const at = chart.getBoundingClientRect();
    if (!at.width) continue;
    const place = `translate(${at.left - frame.left} ${at.top - frame.top})`;
    all.append(svg("g", { transform: place }, ...styled(chart).childNodes));
  }
  for (const key of stage.charts.querySelectorAll(".key")) {
    const at = key.getBoundingClientRect();
    const place = { x: at.right - frame.left, y: at.bottom - frame.top - 4, "text-anchor": "end" };
    if (at.width) all.append(svg("text", { ...words, ...place, "font-size": 13 }, key.textContent));
  }
  root.append(
    svg("rect", { width, height, fill: css(theme.background) }),
    svg("text", { ...words, y: PAD + 14, "font-size": 18, "font-weight": "bold" },
      stage.head.textContent || stage.point.textContent),
    legend(stage, words),
    all,
  );
  return root;
}

// The names of the curves in their colours.
function legend(stage, words) {
  const line = svg("text", { ...words, y: PAD + 14 + ROW, "font-size": 14 });
  for (const key of stage.legend.children) {
    const { borderTopColor, backgroundColor } = getComputedStyle(key.firstElementChild);
    const curve = ["main", "other"].some((role) => key.classList.contains(role));
    const ink = curve ? borderTopColor : key.classList.contains("known") ? backgroundColor : "";
    const mark = key.classList.contains("known") ? "● " : "▬ ";
    line.append(svg("tspan", ink ? { fill: ink } : {}, mark), svg("tspan", {}, `${key.textContent}   `));
  }
  return line;
}

// A copy of a node with what the page's style sheet makes of it.
function styled(node) {
  const copy = node.cloneNode(true);
  const [from, to] = [node, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  from.forEach((one, i) => {
    const style = getComputedStyle(one);
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label"]) to[i].removeAttribute(name);
  });
  return copy;
}
