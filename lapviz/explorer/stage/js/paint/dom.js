// The few DOM helpers that the stage needs.

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

// A 16 x 16 drawing of one path; stroked unless `fill` is given.
export function icon(path, { fill = null, stroke = "currentColor" } = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  shape.setAttribute("fill", fill ?? "none");
  shape.setAttribute("stroke", stroke);
  shape.setAttribute("stroke-width", "1.5");
  shape.setAttribute("stroke-linejoin", "round");
  shape.setAttribute("stroke-linecap", "round");
  svg.append(shape);
  return svg;
}

// The name of the key that makes the wheel zoom: ⌘ or Ctrl.
export function zoomKey() {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
}

// How a picture that was moved comes back as a whole.
export function wayBack() {
  const twice = matchMedia("(pointer: coarse)").matches ? "double tap" : "double click";
  return `${twice}: whole picture`;
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Set the size of a canvas; true if that cleared it.
export function fit(canvas, width, height, ratio) {
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return true;
}
