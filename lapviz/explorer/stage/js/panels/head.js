// The head of a panel: title, accuracy, subtitle, and the button that enlarges it; and its scale, which
// is below the panel.

import icons from "../bars/icons.json";
import { rightParts } from "../numbers/codes.js";
import { gradient } from "../paint/colour.js";
import { element, icon, set, setText, show } from "../paint/dom.js";
import { short } from "../numbers/view.js";

// Reasons for a panel that does not show the present settings.
export const WAITING = ["waiting", "Python is working on the new settings"];
export const OUTDATED = ["outdated", "Python could not compute the new settings: this picture is older"];
export const PINNED = ["outdated", "When this was pinned it did not show these settings yet"];
export const SAVED = ["needs Python", "This panel cannot be computed here: it stays as it was saved"];

export class Head {
  // enlarge: the action of the button.
  constructor(enlarge) {
    this.title = element("div.title");
    this.measure = element("span.what");
    this.share = element("span.share");
    this.score = element("div.score", {}, this.measure, this.share);
    this.subtitle = element("div.subtitle");
    this.low = element("span");
    this.high = element("span");
    this.bar = element("i.bar");
    this.scale = element("div.scale", { "aria-hidden": "true" }, this.low, this.bar, this.high);
    this.wait = element("span.wait");
    this.sayWhy(...WAITING);
    this.grow = element("button.grow", { type: "button", onclick: enlarge });
    const words = [this.title, this.score, this.subtitle, this.grow];
    this.node = element("div.head", {}, ...words);
    this.foot = element("div.under", {}, this.wait, this.scale);
    this.showButton({ offered: false, enlarged: false });
  }

  setTitle(title) {
    setText(this.title, title);
    this.title.title = title;
  }

  // Why the panel does not show the present settings.
  sayWhy(word, title) {
    setText(this.wait, word);
    this.wait.title = title;
  }

  // Show accuracy and subtitle; `about`: why the share right is not exactly Python's, or "".
  caption(subtitle, share, about) {
    const [measure, number] = rightParts(share, about);
    setText(this.measure, measure);
    setText(this.share, number);
    const remark = about && `, ${about}`;
    this.score.title = `Share of the points without a label that get their true class${remark}`;
    show(this.score, number);
    setText(this.subtitle, subtitle);
    this.subtitle.title = subtitle;
  }

  // Show the button if there is anything to enlarge.
  showButton({ offered, enlarged }) {
    const name = this.title.textContent;
    const label = enlarged ? "Show all panels (Esc)" : `Enlarge ${name || "this panel"}`;
    show(this.grow, offered || enlarged);
    if (this.grow.title === label) return;
    set(this.grow, { title: label, "aria-label": label, "aria-pressed": enlarged });
    this.grow.replaceChildren(icon(enlarged ? icons.shrink : icons.grow));
  }

  // top: end of the scale, null if no signed field is shown; colours: its table. A constant gets a word in
  // place of a scale.
  showScale(top, colours, constant) {
    show(this.scale, top !== null);
    this.scale.dataset.constant = constant ? "constant" : "";
    if (top === null) return;
    setText(this.low, `−${short(top, 2)}`);
    setText(this.high, short(top, 2));
    if (this.colours === colours) return;
    this.colours = colours;
    this.bar.style.background = gradient(colours);
  }
}
