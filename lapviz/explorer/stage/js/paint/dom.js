// DOM helpers for the stage.

// element("button.round", {title: "Undo"}, child, "text")
export function element(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// The same for SVG: svg("rect", {width: 3}, child)
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(node, attributes);
  node.append(...children);
  return node;
}

export function svgBlob(root) {
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// A 16 x 16 drawing of one path; stroked unless `fill` is given.
export function icon(path, { fill = "none", stroke = "currentColor" } = {}) {
  const line = { stroke, "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const shape = svg("path", { d: path, fill, ...line });
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}

// A button with an icon and a label for screen readers; `word`: beside the icon, visible if there is room.
export function tool(path, label, onclick, word = null, attributes = {}) {
  const names = { type: "button", title: label, "aria-label": label };
  const words = word === null ? [] : [element("span.word", {}, word)];
  return element("button.tool", { ...names, onclick, ...attributes }, icon(path), ...words);
}

// Grow the array of views to `count` by make(i), or cut it and remove their nodes from the page.
export function fit(views, count, make) {
  while (views.length > count) views.pop().node.remove();
  while (views.length < count) views.push(make(views.length));
}

// Set a button's tooltip and its label for screen readers.
export function setLabel(node, label) {
  set(node, { title: label, "aria-label": label });
}

export function show(node, visible) {
  node.style.display = visible ? "" : "none";
}

// Mark the chosen one of a group of radio buttons, -1 for none; Tab stops there, or at the first.
export function check(nodes, chosen) {
  [...nodes].forEach((node, i) => {
    set(node, { "aria-checked": i === chosen, tabindex: i === Math.max(chosen, 0) ? 0 : -1 });
  });
}

// Does the system ask for reduced motion?
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Is the main pointer a finger?
export function isTouched() {
  return matchMedia("(pointer: coarse)").matches;
}

// The key that makes the wheel zoom: ⌘ or Ctrl.
export function zoomKey() {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
}

// How to bring back the whole picture, as a hint.
export function resetHint() {
  return `${isTouched() ? "double tap" : "double click"}: whole picture`;
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Resize and clear a canvas; returns its context, which draws in pixels of the page.
export function blank(canvas, { width, height }, ratio) {
  const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// A canvas with an image (ImageData); reuses a given canvas.
export function canvasOf(image, canvas = document.createElement("canvas")) {
  const { width, height } = image;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// Offer a file for download.
export function save(blob, download) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

// Copy a text; resolves to false if the clipboard is refused.
export async function copy(text) {
  return navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
}

// Decompress deflated bytes.
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
