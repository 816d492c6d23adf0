// Present mode: the stage alone over the whole window, in large type, with keys for the stories.

import { setText } from "../paint/dom.js";

const STORIES = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
const NEXT_PAGE = 30_000; // milliseconds until another page's stage takes over

const shared = (globalThis.__lapviz ??= { paints: 0, last: null, stages: {} });

export class Present {
  constructor(stage) {
    Object.assign(this, { stage, on: false });
  }

  toggle() {
    if (this.on) this.leave();
    else this.enter();
  }

  // The page is asked to fill the screen; where it may not, the stage fills the window.
  async enter() {
    shared.presenting = true;
    try {
      if (!document.fullscreenElement) await document.documentElement.requestFullscreen?.();
    } catch {
      // not allowed here
    }
    if (shared.presenting && !this.stage.gone) this.cover();
  }

  // Over everything else: a popover is in the browser's top layer, whatever the page's own layers.
  cover() {
    if (this.on) return;
    this.on = true;
    const { root, plots } = this.stage.board;
    root.dataset.present = "";
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    this.over = new AbortController();
    const { signal } = this.over;
    document.addEventListener("keydown", (event) => this.keydown(event), { capture: true, signal });
    const left = () => document.fullscreenElement || this.leave();
    document.addEventListener("fullscreenchange", left, { signal });
    plots.focus({ preventScroll: true });
    this.stage.board.schedule("present", "layout");
  }

  // Another story may be on another page, whose stage goes on presenting.
  resume() {
    if (shared.presenting && !this.on) this.cover();
  }

  leave() {
    shared.presenting = false;
    if (document.fullscreenElement) document.exitFullscreen?.();
    this.uncover();
  }

  uncover() {
    if (!this.on) return;
    this.on = false;
    this.over.abort();
    const { root } = this.stage.board;
    if (root.matches(":popover-open")) root.hidePopover();
    root.removeAttribute("popover");
    delete root.dataset.present;
    this.stage.board.schedule("present", "layout");
  }

  // The stage is gone with its page.
  destroy() {
    if (!this.on) return;
    this.uncover();
    setTimeout(() => {
      if (Object.values(shared.stages).some((stage) => stage.display.present.on)) return;
      this.leave();
    }, NEXT_PAGE);
  }

  name(title) {
    setText(this.stage.board.heading, title);
  }

  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STORIES[event.key];
    if (step) {
      this.stage.channel.change("story", step);
      this.stage.channel.post();
    } else if (event.key === "Escape" && this.stage.enlarged === null) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
