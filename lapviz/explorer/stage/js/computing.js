// Says over the picture that Python is computing, once that takes longer than a blink.

import { element, setText } from "./dom.js";

const AFTER = 150; // milliseconds that need no words
const STATE = "data-test-script-state"; // of Streamlit's app, also while only a fragment runs
const BUSY = ["running", "rerunRequested"];

export class Computing {
  // plots: the node that is marked busy for those who do not see the strip.
  constructor(plots) {
    this.words = element("span.words");
    this.strip = element("i.strip");
    this.node = element("div.computing", { "aria-hidden": "true" }, this.strip, this.words);
    Object.assign(this, { plots, since: null, expected: null });
    this.app = document.querySelector('[data-testid="stApp"]');
    if (!this.app) return; // a page without Python
    this.observer = new MutationObserver(() => this.follow());
    this.observer.observe(this.app, { attributes: true, attributeFilter: [STATE] });
    this.follow();
  }

  destroy() {
    this.observer?.disconnect();
    this.stop();
  }

  get busy() {
    return BUSY.includes(this.app?.getAttribute(STATE));
  }

  follow() {
    if (this.busy) this.start();
    else this.stop();
  }

  // A question asked while Python is still busy with the last one: its state will not change.
  asked() {
    if (this.busy) this.start();
  }

  start() {
    if (this.since !== null) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.count(), AFTER);
  }

  // The picture is up to date: what else the script does is no matter of the stage.
  answered(seconds) {
    this.expected = seconds;
    this.stop();
  }

  stop() {
    clearTimeout(this.timer);
    this.since = null;
    this.node.classList.remove("on");
    this.plots.removeAttribute("aria-busy");
  }

  // Counts up; in whole seconds for those who want less motion.
  count() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const seconds = (performance.now() - this.since) / 1000;
    const about = this.expected === null ? "" : ` of about ${rounded(this.expected)} s`;
    const now = calm ? Math.floor(seconds) : seconds.toFixed(1);
    setText(this.words, `computing… ${now} s${about}`);
    this.node.classList.add("on");
    this.plots.setAttribute("aria-busy", "true");
    this.timer = setTimeout(() => this.count(), calm ? 1000 : 100);
  }
}

function rounded(seconds) {
  return seconds < 1 ? Math.max(seconds, 0.1).toFixed(1) : String(Math.round(seconds));
}
