// Hands on the sheet: pointer, pen, fingers and keys, translated into acts of the drawing.

import { CLASSES } from "../numbers/drawing.js";
import { DENSITY, WIDTH } from "./draw.js";

const STEP = 0.02; // share of the view that an arrow key moves by
const FAST = 5; // times that with Shift
const PEN = { least: 0.4, range: 1.2 }; // width of a pen by its pressure
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const TOOLS = { b: "brush", e: "eraser", m: "move" };

// Listens on one panel's plot, before everything else that does.
export function listenDraw(plot, panel, stage) {
  const { draw, hand, board } = stage;
  const place = (event) => {
    const frame = plot.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const squeeze = (event) =>
    event.pointerType === "pen" && event.pressure > 0 ? PEN.least + PEN.range * event.pressure : 1;
  plot.addEventListener("pointerdown", (event) => {
    if (!draw.ready || panel.frozen || event.button !== 0 || !event.isPrimary) return;
    const at = place(event);
    if (!hand.inBox(...at)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    board.plots.focus({ preventScroll: true });
    hand.forget();
    draw.drop();
    plot.setPointerCapture(event.pointerId);
    draw.hover(panel, event.pointerType === "touch" ? null : at);
    draw.start(at, { squeeze: squeeze(event), touch: event.pointerType === "touch" });
  });
  plot.addEventListener("pointermove", (event) => {
    if (!draw.ready || panel.frozen) return;
    event.stopImmediatePropagation();
    if (!event.isPrimary) return;
    const at = place(event);
    if (event.pointerType !== "touch") draw.hover(panel, hand.inBox(...at) ? at : null);
    if (!draw.stroke) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) draw.extend(place(one), squeeze(one));
  });
  plot.addEventListener("pointerup", (event) => {
    if (!draw.stroke) return;
    event.stopImmediatePropagation();
    if (event.isPrimary) draw.finish();
  });
  plot.addEventListener("pointercancel", () => draw.finish());
  plot.addEventListener("pointerleave", () => draw.hover(panel, null));
  plot.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length > 1) draw.cancel(); // two fingers zoom
      else if (draw.ready) event.preventDefault();
    },
    { passive: false },
  );
}

// Keys while the pictures have the focus; true when the key was used.
export function pressDraw(event, draw) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? draw.redo() : draw.undo();
    return key === "y" ? draw.redo() : false;
  }
  if (event.altKey) return false;
  if (key === "Escape") {
    if (!draw.cancel() && !draw.drop()) draw.leave();
    return true;
  }
  if (!draw.ready) return false;
  if (key in ARROWS) return draw.step(...ARROWS[key], event.shiftKey ? FAST * STEP : STEP);
  if (key === " " || key === "Enter") return event.repeat || draw.press();
  if (key === "Delete" || key === "Backspace") return draw.rub();
  if (key in TOOLS) return draw.choose(TOOLS[key]);
  if (key === "[" || key === "]") {
    const wider = draw.radius * (key === "]" ? 1.25 : 0.8);
    draw.set({ radius: Math.min(Math.max(wider, WIDTH.least), WIDTH.most) });
    return true;
  }
  if (key === "," || key === ".") {
    const denser = Math.round(draw.density * (key === "." ? 1.4 : 0.7) + (key === "." ? 0.5 : -0.5));
    draw.set({ density: Math.min(Math.max(denser, DENSITY.least), DENSITY.most) });
    return true;
  }
  if (/^\d$/.test(key)) return Number(key) <= CLASSES && draw.pick(Number(key) - 1);
  if (key === "+" || key === "=") return draw.stage.zoomBy(1.4);
  if (key === "-" || key === "_") return draw.stage.zoomBy(1 / 1.4);
  return key === "Home" && draw.stage.zoomBy(0);
}
