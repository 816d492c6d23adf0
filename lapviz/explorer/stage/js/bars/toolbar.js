// Controls above the picture. In the bar: the slider that matters most, play, classes, undo; behind
// “More” the other sliders, filter, formula, and the tools for the picture.

import contract from "../../../../contract.json";
import icons from "./icons.json";
import { check, element, icon, isTouched, name, setText, show, tool } from "../paint/dom.js";
import { wayBack, zoomKey } from "../paint/dom.js";
import { keysOf } from "../hands/gestures.js";
import { barShows } from "../channel/page.js";
import { Formula } from "./formula.js";
import { Knob, KnobRow } from "./knob.js";
import { More } from "./more.js";
import { edits, menu, press, refill, swatch, zooms } from "./parts.js";

const { least: low, most: high, limit } = contract.lam;
const LAM = { ...contract.knobs.lam, low, high, limits: [0, limit] };
const MODE = contract.knobs.mode;
const POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];

export class Toolbar {
  constructor(stage) {
    this.stage = stage;
    this.other = null;
    this.play = tool(icons.play, "Play: sweep λ", () => stage.play());
    const moved = (...what) => stage.setKnob(...what);
    this.row = new KnobRow(moved); // the other sliders
    this.front = new KnobRow(moved, this.row.complaint); // the first of them, where there is no λ
    const { complain } = this.row.act;
    this.lam = new Knob(LAM, { set: (_, value, done) => stage.moveLam(value, done), complain });
    this.mode = new Knob(MODE, { set: (_, value) => stage.display.enlarge(value), complain });
    this.mode.node.classList.add("mode");
    const { slider } = this.lam;
    slider.classList.add("lam");
    const scaled = element("div.scaled");
    slider.replaceWith(scaled);
    this.band = element("i.useful", { "aria-hidden": "true" });
    scaled.append(this.band, slider, decades());
    const what = "Filter. How frequencies γ are damped by λ.";
    this.filter = menu("select.filter", "Filter", what, (name) => stage.setFilter(name));
    const called = element("span.name", { "aria-hidden": "true", title: what }, "Filter");
    this.filterBox = element("div.knob.menu", {}, called, this.filter);
    this.lamGroup = element("div.group.lead", {}, this.lam.node, this.play);
    this.front.node.classList.add("lead");
    this.palette = element("div.palette");
    this.edits = edits(stage, "Remove all labels");
    this.editing = element("div.set", {}, ...this.edits.nodes);
    this.labelGroup = element("div.group.labels", {}, this.palette);
    const { whole, nodes } = zooms(stage);
    this.whole = whole;
    this.zooms = element("div.group.zooms", {}, ...nodes);
    const letters = "Letters: sliders named by their letters alone";
    this.letters = tool(icons.letters, letters, () => this.abbreviate(true), "Letters");
    this.tools = element("div.tools", {}, this.zooms);
    this.formula = new Formula(stage.channel.over.signal);
    this.more = new More(() => stage.board.schedule("more", "layout"));
    this.settings = element("div.settings", {}, this.row.node, this.filterBox, this.mode.node);
    this.more.node.append(this.settings, this.tools, this.formula.node);
    this.leading = [this.lamGroup, this.front.node];
    this.bar = element("div.bar", {}, ...this.leading, this.labelGroup, this.editing, this.more.button);
    this.node = element(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Stage controls" },
      this.bar,
      this.row.complaint,
      this.more.node,
    );
    this.hint = element("div.hint");
  }

  // Which groups this scene needs, and the entries of its selects and palette.
  arrange({ scene, specs }, theme) {
    const { hide: hidden, editable, panels, filters } = scene;
    // While a hand moves, the pictures come without models, and the tools stay as they were.
    this.playable = scene.light ? this.playable : scene.models.some(Boolean);
    // Without a model Python alone answers: λ can be moved, not played; nor moved without Python.
    const heeds = (what) => panels.some((one) => !one.note && one.depends.includes(what));
    this.moves = this.playable || (!scene.alone && heeds("lam"));
    // A scene that waits for labels has no model yet: the tools stay visible but disabled.
    const waits = editable && panels.some((panel) => panel.note);
    if (!scene.light || this.wanted === undefined) this.wanted = this.moves || waits;
    this.last = panels.length - 1;
    const names = Object.keys(filters);
    this.leads = this.wanted && !hidden.has("lam");
    show(this.lamGroup, this.leads);
    const modes = scene.kind === "functions" && this.last >= contract.panels.many;
    const choosing = modes && !hidden.has("zoom");
    const filtering = this.wanted && names.length > 1 && !hidden.has("filter");
    show(this.mode.node, choosing);
    show(this.filterBox, filtering);
    show(this.letters, specs.length > 0 || this.leads);
    this.play.disabled = !this.playable;
    this.filter.disabled = !this.moves || !panels.some((panel) => panel.depends.includes("filter"));
    const tools = !hidden.has("tools");
    // Where labels cannot be set, the palette stays as a legend.
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.editing, classes && editable && tools);
    show(this.zooms, !hidden.has("zoom"));
    show(this.tools, tools);
    this.more.offer(tools || choosing || filtering || specs.length > (this.leads ? 0 : 1));
    refill(this.filter, JSON.stringify([filters, scene.alone]), () => names.map(entry));
    function entry(name) {
      const { label, h } = filters[name];
      const lost = scene.alone && !h; // only Python has its formula
      return element("option", { value: name, disabled: lost }, lost ? `${label} (Python)` : label);
    }
    const keys = keysOf(scene.classes);
    const run = editable ? (code) => this.stage.pick(code) : null;
    const named = (name, code) =>
      swatch(code, name, { label: `Label as ${name}`, key: keys[code], theme, run });
    const key = JSON.stringify([scene.classes, editable, theme.id]);
    refill(this.palette, key, () => scene.classes.map(named));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", editable ? "Class of the next label" : "Classes");
  }

  // The sliders as Python has them; `waiting` names those whose change it has not answered yet. Until
  // the first scene it is not known which one leads.
  update(specs, waiting) {
    if (this.wanted === undefined) return;
    const first = this.leads ? 0 : 1;
    this.front.update(specs.slice(0, first), waiting);
    this.row.update(specs.slice(first), waiting);
  }

  // Where λ is worth moving, from and to; nothing: everywhere.
  mark([from, to]) {
    show(this.band, from !== undefined);
    if (from === undefined) return;
    const share = (lam) => Math.log10(lam / low) / Math.log10(high / low);
    this.band.style.setProperty("--from", share(from));
    this.band.style.setProperty("--to", share(to));
    this.band.title = "Where moving λ changes most";
  }

  // Another bar stands in the place of this one (null: none), with the button “More”; what leads is then
  // with the other settings.
  yieldTo(other) {
    if (this.other === other) return;
    this.other = other;
    show(this.bar, !other);
    (other ?? this.bar).append(this.more.button);
    (other ? this.settings : this.bar).prepend(...this.leading);
  }

  // Letters in place of names; `turn`: the other way round.
  abbreviate(turn = false) {
    const on = turn ? barShows("letters", !barShows("letters")) : barShows("letters");
    press(this.letters, on);
    this.stage.root.toggleAttribute("data-letters", on);
    if (turn) this.stage.board.schedule("more", "layout");
  }

  // Follow the settings.
  follow({ lam, lamFree, filter, player, code, stack, view, display }) {
    const playing = player.on;
    this.mode.update({ ...MODE, high: this.last, value: display.enlarged ?? 0 });
    this.lam.update({ ...LAM, value: lam, auto: lamFree, disabled: !this.moves });
    this.lam.slider.setAttribute("aria-valuetext", `λ = ${this.lam.shown}`);
    if (this.filter.value !== filter) this.filter.value = filter;
    const drawing = () => [playing ? icon(icons.pause) : icon(icons.play, { fill: "currentColor" })];
    refill(this.play, String(playing), drawing);
    name(this.play, playing ? "Pause" : "Play: sweep λ");
    check(this.palette.querySelectorAll("button"), code);
    this.edits.follow(stack, stack.present.length);
    this.whole.disabled = !view.zoomed;
  }
}

// Marks of the decades under the slider of λ.
function decades() {
  const marks = POWERS.map((text, i) => {
    const mark = element("span", {}, text);
    mark.style.left = `${(100 * i) / (POWERS.length - 1)}%`;
    return mark;
  });
  return element("div.decades", { "aria-hidden": "true" }, ...marks);
}

// One line that explains mouse and keys.
function hintFor({ editable, free_labels: free, classes, hide, space }, keys) {
  if (hide.has("tools")) return "";
  const touch = isTouched();
  const click = touch ? "tap" : "click";
  const parts = [];
  if (editable) parts.push(`${click}${free ? "" : " a point"}: label`, `${click} again: remove`);
  const digits = keys.filter(Boolean).sort();
  if (editable && !touch && digits.length > 1) {
    const all = digits.at(-1) - digits[0] === digits.length - 1;
    const tenth = keys[9] === "0"; // by place, the tenth class comes after 9
    const range = tenth ? "1–9, 0" : all ? `${digits[0]}–${digits.at(-1)}` : digits.join(", ");
    parts.push(`${classes.length === 2 ? digits.join(", ") : range}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, wayBack());
  }
  return parts.join(" · ");
}
