// Present mode: the stage fills the window, in large type, with keys and buttons for the steps of stories and
// a QR code of the view.

import icons from "./icons.json";
import { element, setText, show, tool } from "../paint/dom.js";
import { isTyping } from "../hands/gestures.js";
import { CodeBox, currentCode } from "./share.js";
import { barSetting, isPageStage, shared, writeView } from "../channel/page.js";

const STEPS = { PageDown: 1, n: 1, N: 1, PageUp: -1, p: -1, P: -1 };
const ARROWS = { ArrowRight: 1, ArrowLeft: -1 };
const USES_ARROWS = "input, select, textarea, [role=slider], [role=radio]";
const POLL = 300; // milliseconds between two checks that the code is that of the address
const NEXT_PAGE = 30_000; // milliseconds that another page's stage may take to take over

export class Present {
  constructor(stage) {
    Object.assign(this, { stage, on: false, hasSteps: false, queued: 0 });
    this.title = element("span");
    const changed = (shown) => this.pollCode(shown);
    this.code = new CodeBox("button.codetool", "QR code of these settings (key q)", "div.code", changed);
    this.sentence = element("div.sentence");
    this.steps = element("div.group", {}, tool(icons.previous, "Previous step (p)", () => this.step(-1)),
      tool(icons.next, "Next step (n)", () => this.step(1)));
    const title = "End the presentation (Esc)";
    const attributes = { type: "button", title, "aria-label": title, onclick: () => this.leave() };
    const end = element("button.codetool", attributes, "End");
    const buttons = element("div.group.presenting", {}, this.steps, this.code.button, end);
    stage.board.heading.append(this.title, buttons, this.sentence);
    stage.board.root.append(this.code.node);
  }

  // Request full screen; if that is refused, the stage fills the window.
  async enter() {
    shared.presenting = true;
    const page = document.documentElement;
    if (!document.fullscreenElement) await page.requestFullscreen?.().catch(() => {}); // refused
    if (shared.presenting && !this.stage.gone) this.cover();
  }

  // Cover the page: a popover is in the browser's top layer, above all layers of the page.
  cover() {
    if (this.on) return;
    this.on = true;
    clearTimeout(shared.ending);
    const { root, plots, toolbar } = this.stage.board;
    toolbar.more.display(false); // until the user opens it
    root.dataset.present = "";
    root.setAttribute("popover", "manual");
    root.showPopover?.();
    this.abortController = new AbortController();
    const { signal } = this.abortController;
    document.addEventListener("keydown", (event) => this.keydown(event), { capture: true, signal });
    // Nothing of the covered page takes the focus.
    const stay = (event) => event.composedPath().includes(root) || plots.focus({ preventScroll: true });
    document.addEventListener("focusin", stay, { signal });
    const onFullscreenChange = () => document.fullscreenElement || this.leave();
    document.addEventListener("fullscreenchange", onFullscreenChange, { signal });
    plots.focus({ preventScroll: true });
    this.stage.board.schedule("present", "layout");
    if (!this.stage.alone) writeView();
  }

  // Present if a link says so, or if the story's previous page was presented.
  resume() {
    if (shared.presenting && !this.on && isPageStage(this.stage)) this.cover();
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
    this.abortController.abort();
    if (!this.code.node.hidden) this.code.toggle();
    const { root, toolbar } = this.stage.board;
    toolbar.more.display(barSetting("more"));
    if (root.matches(":popover-open")) root.hidePopover();
    root.removeAttribute("popover");
    delete root.dataset.present;
    this.stage.board.schedule("present", "layout");
  }

  // The stage is gone with its page.
  destroy() {
    if (!this.on) return;
    this.uncover();
    clearTimeout(shared.ending);
    shared.ending = setTimeout(() => {
      if (!Object.values(shared.stages).some((stage) => stage.display?.present.on)) this.leave();
    }, NEXT_PAGE);
  }

  // hasSteps: is there a story to step through? sentence: about the picture.
  setTexts(title, hasSteps, sentence = "") {
    setText(this.title, title);
    setText(this.sentence, sentence);
    this.hasSteps = hasSteps;
    show(this.steps, hasSteps);
    show(this.code.button, !this.stage.alone); // a saved page has no address to share
  }

  // While the code is shown: that of the view arrives after the picture of a step.
  pollCode(shown) {
    clearInterval(this.polling);
    if (!shown) return;
    this.code.update(currentCode());
    this.polling = setInterval(() => this.code.update(currentCode()), POLL);
  }

  // ---- keys -------------------------------------------------------------------------------

  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return;
    const { draw, hand, display, alone } = this.stage;
    const step = this.hasSteps && (STEPS[event.key] ?? this.arrow(event));
    if (step) this.step(step);
    else if (event.key.toLowerCase() === "q" && !alone) this.code.toggle();
    else if (event.key !== "Escape") return;
    else if (!this.code.node.hidden) this.code.toggle();
    else if (draw.on) draw.escape();
    else if (!hand.drop() && !display.enlarge(null)) this.leave();
    event.preventDefault();
    event.stopPropagation();
  }

  step(by) {
    this.queued += by;
    this.nextStep();
  }

  // Send the next step that was requested, once the previous one is answered.
  nextStep() {
    const { channel } = this.stage;
    if (!this.queued || !channel.isAnswered) return;
    const step = Math.sign(this.queued);
    this.queued -= step;
    channel.sendAction("story", step);
  }

  // Arrows are steps of a story if nothing else needs them: no slider, no cursor among the points (up and
  // down set one, Escape drops it); with Shift they rotate points in space.
  arrow(event) {
    const step = ARROWS[event.key];
    const isTaken = event.shiftKey || this.stage.hand.cursor || this.stage.draw.on;
    if (!step || isTaken) return 0;
    return event.composedPath()[0].closest?.(USES_ARROWS) ? 0 : step;
  }
}
