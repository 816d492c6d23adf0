// Present mode: the stage alone over the whole window, in large type, with keys for the steps of stories
// and a QR code of what is shown.

import { element, setText, show } from "../paint/dom.js";
import { codeOfLink } from "./share.js";
import { shared, standsForPage, writeView } from "../channel/page.js";

const STEPS = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
const ARROWS = { ArrowRight: 1, ArrowLeft: -1 };
const OWN_ARROWS = "input, select, textarea, [role=slider], [role=radio]";
const LOOK = 300; // milliseconds between two looks at whether the code is that of the address
const NEXT_PAGE = 30_000; // milliseconds until another page's stage takes over

export class Present {
  constructor(stage) {
    Object.assign(this, { stage, on: false, steps: false, ahead: 0 });
    this.title = element("span");
    const help = { type: "button", title: "QR code of this view (key q)", "aria-expanded": "false" };
    this.codeTool = element("button.codetool", { ...help, onclick: () => this.toggleCode() }, "QR code");
    this.image = element("img.qr");
    this.why = element("span");
    this.code = element("div.code", { role: "status" }, this.image, this.why);
    this.code.hidden = true;
    this.words = element("div.sentence");
    stage.board.heading.append(this.title, this.codeTool, this.words);
    stage.board.root.append(this.code);
  }

  // The page is asked to fill the screen; where it may not, the stage fills the window.
  async enter() {
    shared.presenting = true;
    const page = document.documentElement;
    if (!document.fullscreenElement) await page.requestFullscreen?.().catch(() => {}); // not allowed
    if (shared.presenting && !this.stage.gone) this.cover();
  }

  // Over everything else: a popover is in the browser's top layer, whatever the page's own layers.
  cover() {
    if (this.on) return;
    this.on = true;
    const { root, plots, toolbar } = this.stage.board;
    toolbar.more.put(false); // from here it opens when it is asked for
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
    if (!this.stage.alone) writeView();
  }

  // A link asks for it, or another page's stage was presented, which is where the story was before.
  resume() {
    if (shared.presenting && !this.on && standsForPage(this.stage)) this.cover();
  }

  leave() {
    shared.presenting = false;
    if (document.fullscreenElement) document.exitFullscreen?.();
    if (!this.stage.alone) writeView();
    this.uncover();
  }

  uncover() {
    if (!this.on) return;
    this.on = false;
    this.over.abort();
    if (!this.code.hidden) this.toggleCode();
    const { root, toolbar } = this.stage.board;
    toolbar.more.restore();
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
      if (!Object.values(shared.stages).some((stage) => stage.display?.present.on)) this.leave();
    }, NEXT_PAGE);
  }

  // steps: whether there is a story to go on with; words: what is seen.
  name(title, steps, words = "") {
    setText(this.title, title);
    setText(this.words, words);
    this.steps = steps;
  }

  // ---- the QR code ------------------------------------------------------------------------

  toggleCode() {
    this.code.hidden = !this.code.hidden;
    this.codeTool.setAttribute("aria-expanded", String(!this.code.hidden));
    clearInterval(this.looking);
    if (this.code.hidden) return;
    this.followCode();
    this.looking = setInterval(() => this.followCode(), LOOK);
  }

  // The code comes after the picture of a step.
  followCode() {
    const { qr, why, alt } = codeOfLink();
    show(this.image, Boolean(qr));
    if (qr && this.image.src !== qr) Object.assign(this.image, { src: qr, alt });
    setText(this.why, why);
  }

  // ---- keys -------------------------------------------------------------------------------

  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key] ?? this.arrow(event);
    if (step) {
      this.ahead += step;
      this.go();
    } else if (event.key === "q" || event.key === "Q") this.toggleCode();
    else if (event.key !== "Escape") return;
    else if (!this.code.hidden) this.toggleCode();
    else if (!this.stage.hand.drop() && !this.stage.display.enlarge(null)) this.leave();
    event.preventDefault();
    event.stopPropagation();
  }

  // The next of the steps that keys have asked for, once the one before is answered.
  go() {
    const { channel } = this.stage;
    if (!this.ahead || !channel.isAnswered) return;
    const step = Math.sign(this.ahead);
    this.ahead -= step;
    channel.act("story", step);
  }

  // Arrows are steps of a story where nothing else needs them: no slider, no cursor among the points
  // (up and down begin with one, Escape drops it); with Shift they turn points in space.
  arrow(event) {
    const step = ARROWS[event.key];
    const taken = event.shiftKey || this.stage.hand.cursor || this.stage.draw.on;
    if (!step || !this.steps || taken) return 0;
    return event.composedPath()[0].closest?.(OWN_ARROWS) ? 0 : step;
  }
}
