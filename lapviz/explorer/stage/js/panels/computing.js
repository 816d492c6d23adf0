// The sign over the picture that Python is computing, shown when that takes longer than a moment.

import { STATE, isBusy, streamlitApp } from "../channel/page.js";
import { element, isCalm, setText } from "../paint/dom.js";

const DELAY = 150; // milliseconds before the sign is shown
const CANCEL_AFTER = 2; // seconds before the button Cancel is shown

export class Computing {
  // plots: the node that is marked busy for screen readers; cancel: the action of the button.
  constructor(plots, cancel) {
    this.status = element("span", { "aria-hidden": "true" });
    this.cancel = element("button.cancel", { type: "button", onclick: cancel }, "Cancel");
    this.words = element("div.words", {}, this.status, this.cancel);
    this.strip = element("i.strip", { "aria-hidden": "true" });
    this.node = element("div.computing", {}, this.strip, this.words);
    Object.assign(this, { plots, since: null, task: null });
    this.cancel.hidden = true;
    this.app = streamlitApp();
    if (!this.app) return; // a page without Python
    this.observer = new MutationObserver(() => this.update());
    this.observer.observe(this.app, { attributes: true, attributeFilter: [STATE] });
    this.update();
  }

  destroy() {
    this.observer?.disconnect();
    this.stop();
  }

  // Called when Python's state changes, and after a message, as a busy Python's state stays the same.
  update() {
    if (isBusy(this.app)) this.start();
    else if (!this.task) this.stop();
  }

  start() {
    if (this.since !== null) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.count(), DELAY);
  }

  // A long computation: {words, seconds expected or null, spent}.
  pending(task) {
    const isFirst = this.since === null;
    this.task = task;
    this.start();
    const started = performance.now() - 1000 * task.spent;
    this.since = Math.min(this.since, started);
    if (isFirst) this.count();
  }

  // The picture is up to date, even if Python's script goes on.
  answered() {
    this.task = null;
    this.stop();
  }

  stop() {
    clearTimeout(this.timer);
    this.since = null;
    this.cancel.hidden = true;
    this.node.classList.remove("on");
    this.plots.removeAttribute("aria-busy");
  }

  // Count up; in whole seconds if the system asks for reduced motion.
  count() {
    const calm = isCalm();
    const seconds = (performance.now() - this.since) / 1000;
    const expected = this.task?.seconds ?? null;
    const rounded = expected < 1 ? Math.max(expected, 0.1).toFixed(1) : Math.round(expected);
    const about = expected === null ? "" : ` of about ${rounded} s`;
    const elapsed = calm || seconds > 10 ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.status, `${this.task?.words || "computing"}… ${elapsed} s${about}`);
    this.cancel.hidden = !(this.task && seconds > CANCEL_AFTER);
    this.node.classList.add("on");
    this.plots.setAttribute("aria-busy", "true");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.count(), calm ? 1000 : 100);
  }
}
