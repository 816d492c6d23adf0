// What stands above a panel: title, accuracy, subtitle, and the button that enlarges it; and below
// it: its scale.

import icons from "../bars/icons.json";
import { rightParts } from "../numbers/codes.js";
import { gradient } from "../paint/colour.js";
import { element, icon, set, setText, show } from "../paint/dom.js";
import { short } from "../numbers/view.js";

export class Head {
  // enlarge: called by the button, and by arrow keys on it with the step to another panel.
  constructor(enlarge) {
    this.title = element("div.title");
    this.what = element("span.what");
    this.share = element("span.share");
    this.score = element("div.score", {}, this.what, this.share);
    this.subtitle = element("div.subtitle");
    this.low = element("span");
    this.high = element("span");
    this.bar = element("i.bar");
    this.scale = element("div.scale", { "aria-hidden": "true" }, this.low, this.bar, this.high);
    this.wait = element("span.wait", { title: "Python is working on the new settings" }, "waiting");
    this.grow = element("button.grow", { type: "button", onclick: enlarge });
    const words = [this.title, this.score, this.subtitle, this.grow];
    this.node = element("div.head", {}, ...words);
    this.foot = element("div.under", {}, this.wait, this.scale);
    this.follow(false, false);
  }

  name(title) {
    setText(this.title, title);
    this.title.title = title;
  }

  // In a saved page nothing is on its way: the picture stays as it was saved.
  needsPython() {
    setText(this.wait, "needs Python");
    this.wait.title = "This panel cannot be computed here: it stays as it was saved";
  }

  // What stands beside the title; `about`: why the share is not quite Python's, or "".
  caption(subtitle, share, about) {
    const [what, number] = rightParts(share, about);
    setText(this.what, what);
    setText(this.share, number);
    const how = about && `, ${about}`;
    this.score.title = `Share of the points without a label that get their true class${how}`;
    show(this.score, number);
    setText(this.subtitle, subtitle);
    this.subtitle.title = subtitle;
  }

  // The button, if there is anything to enlarge.
  follow(possible, enlarged) {
    const name = this.title.textContent;
    const label = enlarged ? "Show all panels (Esc)" : `Enlarge ${name || "this panel"}`;
    show(this.grow, possible || enlarged);
    if (this.grow.title === label) return;
    set(this.grow, { title: label, "aria-label": label, "aria-pressed": enlarged });
    this.grow.replaceChildren(icon(enlarged ? icons.shrink : icons.grow));
  }

  // top: end of the scale; colours: its table, known by `name`; null: no signed field is shown. A constant
  // has a word in place of a scale.
  showScale(top, name, colours, constant) {
    show(this.scale, top !== null);
    this.scale.dataset.constant = constant ? "constant" : "";
    if (top === null) return;
    setText(this.low, `−${short(top, 2)}`);
    setText(this.high, short(top, 2));
    if (this.barName === name) return;
    this.bar.style.background = gradient(colours);
    this.barName = name;
  }
}
