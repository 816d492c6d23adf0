// Mouse, pen, touch and keys on a picture's canvases.

import { ARROWS, TOOLS, listenPinch, listenTool, listenWheel } from "./gestures.js";
import { doubleClicks, handleKey } from "./gestures.js";

export class PictureHand {
  constructor(stage) {
    Object.assign(this, { stage, panning: null, down: false, exclusive: true, endsWhenMoved: true });
    this.isSecondTap = doubleClicks(12);
  }

  listen(view) {
    const { canvas } = view;
    const { stage } = this;
    listenTool(canvas, view, this, { plots: stage.plots, buttons: [0, 1] });
    canvas.addEventListener("dblclick", () => stage.tool === "move" && stage.zoomBy(0));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    const zoomAt = (factor, ...at) => stage.zoomAt(factor, at, view);
    const pan = (dx, dy) => stage.pan(dx, dy, view);
    listenWheel(canvas, zoomAt);
    listenPinch(canvas, { pan, zoomAt, begin: () => this.cancel() });
  }

  // ---- a tool for listenTool(): scribbles, or moves the picture -----------------------------

  get ready() {
    return Boolean(this.stage.image);
  }

  // Is a stroke of the pointer, not of the keyboard, under way?
  get busy() {
    return Boolean(this.panning ?? (this.stage.drawing && !this.down));
  }

  begin(view, at, event) {
    const { stage } = this;
    const touched = event.pointerType === "touch";
    if (this.down) stage.finish(); // the keyboard's stroke
    Object.assign(this, { view, touched, down: false });
    if (touched && this.isSecondTap(event) && stage.frame.zoomed) {
      if (this.scribbled) stage.travel("undo"); // by the first tap
      stage.zoomBy(0);
    } else if (stage.tool === "move" || event.button === 1) this.panning = at;
    else stage.begin(stage.pixel(at, view));
  }

  extend(at) {
    const { stage, view, panning } = this;
    if (panning) {
      stage.pan(at[0] - panning[0], at[1] - panning[1], view);
      this.panning = at;
    } else stage.extend(stage.pixel(at, view));
  }

  finish() {
    this.panning = null;
    this.scribbled = this.stage.finish();
    if (this.touched) this.stage.moveCursor(null);
  }

  hover(view, at) {
    if (this.down && this.stage.drawing) return; // the cursor is the keyboard's
    this.stage.moveCursor(at && this.stage.pixel(at, view));
  }

  cancel() {
    Object.assign(this, { down: false, panning: null, scribbled: false });
    this.stage.set({ drawing: null, tip: null });
  }

  // Arrows move the brush, Space puts it down and lifts it; returns true if the key was used.
  key(event) {
    const { stage } = this;
    return handleKey(event, stage, (key) => {
      if (key in ARROWS) return this.step(ARROWS[key], event.shiftKey);
      if (key === " " || key === "Enter") return this.toggle();
      if (key === "Escape") return stage.drawing && this.discard();
      if (key === "0") return stage.zoomBy(0);
      if (key === "[" || key === "]") return stage.setRadius(stage.radius + (key === "]" ? 1 : -1));
      if (key in TOOLS) return stage.set({ tool: TOOLS[key] });
      if (!/^[1-9]$/.test(key)) return undefined;
      return Number(key) <= stage.classes && stage.pick(Number(key) - 1);
    });
  }

  discard() {
    this.cancel();
    this.stage.announce("stroke discarded");
    return true;
  }

  step([dx, dy], far) {
    const { stage } = this;
    const reach = Math.max(1, Math.round((far ? 5 : 1) * Math.max(stage.radius, 3)));
    const from = stage.cursor ?? stage.frame.centre.map(Math.round);
    const to = stage.inside([from[0] + dx * reach, from[1] - dy * reach]);
    stage.moveCursor(to);
    if (stage.drawing) stage.extend(to);
    stage.announce(`column ${to[0]}, row ${to[1]}${stage.drawing ? ", brush down" : ""}`);
    return true;
  }

  toggle() {
    const { stage } = this;
    if (stage.drawing) {
      this.down = false;
      stage.finish();
      return true;
    }
    const at = stage.cursor ?? stage.inside(stage.frame.centre);
    if (stage.tool === "move") stage.set({ tool: "brush" });
    stage.moveCursor(at);
    stage.begin(at);
    this.down = stage.drawing;
    stage.announce("brush down");
    return true;
  }
}
