// Says over the picture that Python is computing, once that takes longer than a blink.

import { STATE, application, isBusy } from "../channel/page.js";
import { element, isCalm, setText } from "../paint/dom.js";

const AFTER = 150; // milliseconds that need no words
const CANCEL = 2; // seconds after which one may want to give up

export class Computing {
  // plots: the node that is marked busy for those who do not see the strip.
  // cancel: what its button does.
  constructor(plots, cancel) {
    this.said = element("span", { "aria-hidden": "true" });
    this.cancel = element("button.cancel", { type: "button", onclick: cancel }, "Cancel");
    this.words = element("div.words", {}, this.said, this.cancel);
    this.strip = element("i.strip", { "aria-hidden": "true" });
    this.node = element("div.computing", {}, this.strip, this.words);
    Object.assign(this, { plots, since: null, expected: null, task: null });
    this.cancel.hidden = true;
    this.app = application();
    if (!this.app) return; // a page without Python
    this.observer = new MutationObserver(() => this.follow());
    this.observer.observe(this.app, { attributes: true, attributeFilter: [STATE] });
    this.follow();
  }

  destroy() {
    this.observer?.disconnect();
    this.stop();
  }

  // As Python's state changes; or at a question, which does not change it where it is still busy.
  follow() {
    if (isBusy(this.app)) this.start();
    else if (!this.task) this.stop();
  }

  start() {
    if (this.since !== null) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.count(), AFTER);
  }

  // A long computation: {words, seconds expected or null, spent}.
  pending(task) {
    const first = this.since === null;
    this.task = task;
    this.start();
    const spent = performance.now() - 1000 * task.spent;
    this.since = Math.min(this.since, spent);
    if (first) this.count();
  }

  // The picture is up to date: what else the script does is no matter of the stage.
  answered(seconds) {
    this.expected = seconds;
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

  // Counts up; in whole seconds for those who want less motion.
  count() {
    const calm = isCalm();
    const seconds = (performance.now() - this.since) / 1000;
    const expected = this.task ? this.task.seconds : this.expected;
    const rounded = expected < 1 ? Math.max(expected, 0.1).toFixed(1) : Math.round(expected);
    const about = expected === null ? "" : ` of about ${rounded} s`;
    const now = calm || seconds > 10 ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.said, `${this.task?.words || "computing"}… ${now} s${about}`);
    this.cancel.hidden = !(this.task && seconds > CANCEL);
    this.node.classList.add("on");
    this.plots.setAttribute("aria-busy", "true");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.count(), calm ? 1000 : 100);
  }
}
