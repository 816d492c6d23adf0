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

// The same for SVG: svg("rect", {width: 3}, child)
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(node, attributes);
  node.append(...children);
  return node;
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

// A button with a drawing, named for those who do not see it.
export function tool(path, label, onclick, more = {}) {
  const names = { type: "button", title: label, "aria-label": label };
  return element("button.tool", { ...names, onclick, ...more }, icon(path));
}

export function show(node, visible) {
  node.style.display = visible ? "" : "none";
}

// Of a group of radio buttons, the chosen one.
export function check(nodes, chosen) {
  [...nodes].forEach((node, i) => node.setAttribute("aria-checked", String(i === chosen)));
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
