// A page of its own: a stage as it was saved, without server or network. The page is made by
// lapviz/figures/live_picture.py; the explorer's pages have none of its parts.

import { candidatesOf, rounded } from "../numbers/labels.js";
import { CurveStage } from "./curve.js";
import { decode, fingerprint, keep } from "../channel/decode.js";
import { copy, inflated, setText } from "../paint/dom.js";
import { linked } from "../numbers/view.js";
import { Stage } from "./stage.js";

const KINDS = { plane: Stage, curves: CurveStage };
const MOST_LABELS = 400; // in a link
const SORRY = "This page needs a browser of 2023 or later: its picture could not be unpacked.";

// Does nothing where the page is none of these.
export async function openPage() {
  const place = document.getElementById("lapviz-stage");
  if (!place) return;
  try {
    const [lasting, data] = await Promise.all(["lapviz-static", "lapviz-answer"].map(unpacked));
    keep(fingerprint(lasting), decode(lasting).static);
    const stage = new KINDS[place.dataset.kind](place);
    stage.receive({ data, setStateValue: () => {} });
    offerThemes(stage);
    offerCopies();
    followLink(stage);
  } catch (error) {
    console.warn("lapviz page:", error);
    setText(place, SORRY);
  }
}

// The bytes of a part: deflated, in base64.
function unpacked(name) {
  const text = document.getElementById(name).textContent.trim();
  return inflated(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}

// Light or dark as the system has it, until one of them is asked for, here or by a message
// { lapvizTheme } from the page that embeds this one.
function offerThemes(stage) {
  const button = document.getElementById("lapviz-theme");
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (dataset.theme ? dataset.theme === "dark" : system.matches);
  const follow = () => {
    setText(button, isDark() ? "Light" : "Dark");
    stage.same();
  };
  const choose = (theme) => {
    dataset.theme = theme;
    follow();
  };
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  addEventListener("message", ({ data }) => {
    if (["light", "dark"].includes(data?.lapvizTheme)) choose(data.lapvizTheme);
  });
  if (parent !== window) parent.postMessage({ lapvizTheme: "?" }, "*"); // now it can be answered
  system.addEventListener("change", follow);
  button.hidden = false;
  follow();
}

// Buttons that copy the text of another node.
function offerCopies() {
  for (const button of document.querySelectorAll("button[data-copies]")) {
    const source = document.getElementById(button.dataset.copies);
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(source.textContent);
      if (!done) getSelection().selectAllChildren(source);
      setText(button, done ? "Copied" : "Marked: press Ctrl+C");
    });
  }
}

// The link to the explorer goes to what is on screen now.
function followLink(stage) {
  const link = document.getElementById("lapviz-link");
  if (!link) return;
  const saved = link.href;
  const follow = () => {
    if (!stage.scene) return;
    const { lam, filter, labels, changed = [] } = stage; // of curves the link stays
    const url = new URL(saved);
    if (changed.includes("lam")) url.searchParams.set("lam", String(linked(lam)));
    if (changed.includes("filter")) url.searchParams.set("filter", filter);
    if (changed.includes("labels") && labels.length <= MOST_LABELS)
      url.searchParams.set("labels", labels.map(written).join("~"));
    link.href = url.href;
  };
  for (const event of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(event, follow);
}

// A label as links have it (lapviz/explorer/settings/texts.py).
function written(label) {
  const where = label.index >= 0 ? label.index : `${rounded(label.x)},${rounded(label.y)}`;
  return `${where}c${candidatesOf(label).join(".")}`;
}
