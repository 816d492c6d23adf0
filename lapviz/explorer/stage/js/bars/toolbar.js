// Controls above the pictures. In the bar: the most important slider, play, classes, undo; behind “More”
// the other sliders, filter, formula, and the tools for the pictures.

import contract from "../../../../contract.json";
import icons from "./icons.json";
import { check, element, icon, isTouched, setLabel, setText, show, tool } from "../paint/dom.js";
import { resetHint, zoomKey } from "../paint/dom.js";
import { keysOf } from "../hands/gestures.js";
import { barSetting } from "../channel/page.js";
import { Formula } from "./formula.js";
import { Knob, KnobRow } from "./knob.js";
import { More } from "./more.js";
import { edits, menu, refill, setPressed, swatch, zooms } from "./parts.js";

const { least: low, most: high, limit } = contract.lam;
const LAM = { ...contract.knobs.lam, low, high, limits: [0, limit], spoken: "λ = " };
const MODE = contract.knobs.mode;
const POWERS = ["10⁻⁶", "", "10⁻⁴", "", "10⁻²", "", "1", "", "10²", "", "10⁴"];

export class Toolbar {
  constructor(stage) {
    this.stage = stage;
    this.replacement = null;
    this.play = tool(icons.play, "Play: sweep λ", () => stage.play());
    const setKnob = (...change) => stage.setKnob(...change);
    this.row = new KnobRow(setKnob); // the other sliders
    this.front = new KnobRow(setKnob, this.row.complaint); // the first of them, if there is no λ
    const { complain } = this.row.actions;
    this.lam = new Knob(LAM, { set: (_, ...change) => stage.moveLam(...change), complain });
    this.mode = new Knob(MODE, { set: (_, value) => stage.display.enlarge(value ? value - 1 : null), complain });
    this.mode.node.classList.add("mode");
    const { slider } = this.lam;
    slider.classList.add("lam");
    const scale = element("div.scaled");
    slider.replaceWith(scale);
    this.band = element("i.useful", { "aria-hidden": "true" });
    scale.append(this.band, slider, decades());
    const title = "Filter. How frequencies γ are damped by λ.";
    this.filter = menu("select.filter", "Filter", title, (name) => stage.setFilter(name));
    const name = element("span.name", { "aria-hidden": "true", title }, "Filter");
    this.filterBox = element("div.knob.menu", {}, name, this.filter);
    this.lamGroup = element("div.group.lead", {}, this.lam.node, this.play);
    this.front.node.classList.add("lead");
    this.palette = element("div.palette");
    this.edits = edits(stage, "remove all labels");
    this.labelGroup = element("div.group.labels", {}, this.palette);
    this.zooms = zooms(stage);
    const letters = "Letters: sliders named by their letters alone";
    this.letters = tool(icons.letters, letters, () => this.showLetters(!barSetting("letters")), "Letters");
    this.tools = element("div.tools", {}, this.zooms.node);
    this.formula = new Formula(stage.channel.abortController.signal);
    this.more = new More(() => stage.board.schedule("more", "layout"));
    this.settings = element("div.settings", {}, this.row.node, this.filterBox, this.mode.node);
    this.more.node.append(this.settings, this.tools, this.formula.node);
    this.leading = [this.lamGroup, this.front.node];
    this.bar = element("div.bar", {}, ...this.leading, this.labelGroup, this.edits.node, this.more.button);
    this.node = element("div.toolbar", { role: "toolbar", "aria-label": "Stage controls" },
      this.bar, this.row.complaint, this.more.node);
    this.hint = element("div.hint");
  }

  // Show the groups that this scene needs, and fill its selects and palette.
  arrange({ scene, specs }, theme) {
    const { hide: hidden, editable, panels, filters } = scene;
    const anyDepends = (setting, among = panels) =>
      among.some((panel) => !panel.note && panel.depends.includes(setting));
    const computed = panels.filter((_, k) => scene.models[k]);
    // While a control is moved, pictures come without models, and the tools stay as they were.
    this.playable = scene.light ? this.playable : anyDepends("lam", computed);
    // Without a model only Python answers: λ can be moved but not played; without Python neither.
    this.movable = this.playable || (!scene.alone && anyDepends("lam"));
    // A scene that waits for labels has no model yet: its tools are visible but disabled.
    const needsLabels = editable && panels.some((panel) => panel.note);
    if (!scene.light || this.needed === undefined) this.needed = this.movable || needsLabels;
    this.lastIndex = panels.length - 1;
    const names = Object.keys(filters);
    this.lamLeads = this.needed && !hidden.has("lam");
    show(this.lamGroup, this.lamLeads);
    const modes = scene.kind === "functions" && this.lastIndex >= contract.panels.many;
    const hasMode = modes && !hidden.has("zoom");
    const hasFilter = this.needed && names.length > 1 && !hidden.has("filter");
    show(this.mode.node, hasMode);
    show(this.filterBox, hasFilter);
    show(this.letters, specs.length > 0 || this.lamLeads);
    this.play.disabled = !this.playable;
    this.filter.disabled = !this.movable || !panels.some((panel) => panel.depends.includes("filter"));
    const tools = !hidden.has("tools");
    // If labels cannot be set, the palette is a legend.
    const classes = scene.kind === "classes" && scene.classes.length > 0;
    show(this.labelGroup, classes);
    show(this.edits.node, classes && editable && tools);
    show(this.zooms.node, !hidden.has("zoom"));
    show(this.tools, tools);
    this.more.offer(tools || hasMode || hasFilter || specs.length > (this.lamLeads ? 0 : 1));
    refill(this.filter, JSON.stringify([filters, scene.alone]), () => names.map(entry));
    function entry(name) {
      const { label, h } = filters[name];
      const disabled = scene.alone && !h; // only Python has its formula
      return element("option", { value: name, disabled }, disabled ? `${label} (Python)` : label);
    }
    const keys = keysOf(scene.classes);
    const choose = editable ? (code) => this.stage.pick(code) : null;
    const classSwatch = (name, code) =>
      swatch(code, name, { label: `Label as ${name}`, key: keys[code], theme, choose });
    const key = JSON.stringify([scene.classes, editable, theme.id]);
    refill(this.palette, key, () => scene.classes.map(classSwatch));
    setText(this.hint, hintFor(scene, keys));
    this.palette.setAttribute("role", editable ? "radiogroup" : "list");
    this.palette.setAttribute("aria-label", editable ? "Class of the next label" : "Classes");
  }

  // The sliders' descriptions from Python; waiting: has the names of those whose changes it has not answered.
  // Before the first scene it is not known which slider leads.
  update(specs, waiting) {
    if (this.needed === undefined) return;
    const first = this.lamLeads ? 0 : 1;
    this.front.update(specs.slice(0, first), waiting);
    this.row.update(specs.slice(first), waiting);
  }

  // Mark the useful range of λ; an empty one: everywhere.
  markUseful([from, to]) {
    show(this.band, from !== undefined);
    if (from === undefined) return;
    const share = (lam) => Math.log10(lam / low) / Math.log10(high / low);
    this.band.style.setProperty("--from", share(from));
    this.band.style.setProperty("--to", share(to));
    this.band.title = "Moving λ has the largest effect here";
  }

  // Replace this bar by another one, with the button “More” (null: by none); the leading sliders then move
  // to the other settings.
  replaceBar(bar) {
    if (this.replacement === bar) return;
    this.replacement = bar;
    show(this.bar, !bar);
    (bar ?? this.bar).append(this.more.button);
    (bar ? this.settings : this.bar).prepend(...this.leading);
  }

  // Show letters in place of names, if that is the setting; with `on` it is set first.
  showLetters(on = null) {
    const shown = barSetting("letters", on);
    setPressed(this.letters, shown);
    this.stage.root.toggleAttribute("data-letters", shown);
    if (on !== null) this.stage.board.schedule("more", "layout");
  }

  // Update the controls by the settings.
  follow({ lam, lamIsAuto, filter, player, code, stack, view, display }) {
    const playing = player.on;
    this.mode.update({ ...MODE, high: this.lastIndex + 1, value: (display.enlarged ?? -1) + 1 });
    this.lam.update({ ...LAM, value: lam, auto: lamIsAuto, disabled: !this.movable });
    if (this.filter.value !== filter) this.filter.value = filter;
    const playIcon = () => [playing ? icon(icons.pause) : icon(icons.play, { fill: "currentColor" })];
    refill(this.play, String(playing), playIcon);
    setLabel(this.play, playing ? "Pause" : "Play: sweep λ");
    check(this.palette.querySelectorAll("button"), code);
    this.edits.follow(stack, stack.present.length);
    this.zooms.follow(view);
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
    const consecutive = digits.at(-1) - digits[0] === digits.length - 1;
    const hasTenth = keys[9] === "0"; // by position, the tenth class comes after 9
    const range = hasTenth ? "1–9, 0" : consecutive ? `${digits[0]}–${digits.at(-1)}` : digits.join(", ");
    parts.push(`${classes.length === 2 ? digits.join(", ") : range}: class`);
  }
  if (space) parts.push(touch ? "one finger sideways: turn" : "drag or Shift + arrows: turn");
  if (!hide.has("zoom")) {
    parts.push(touch ? "two fingers: zoom" : `${zoomKey()} + wheel: zoom`, resetHint());
  }
  return parts.join(" · ");
}
