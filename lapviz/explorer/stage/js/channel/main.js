// The entry points: for Streamlit those of the component that brings this code and of those that wait
// for it; the modules that tests look into; in a page that was saved the stage opens itself.

import { oneEntryPerPage, passByMain, startWithoutSidebar, watchLinks } from "./page.js";
import { openPage } from "../panels/alone.js";
import { CurveStage } from "../panels/curve.js";
import { KnobPanel } from "../bars/knob.js";
import { decode, fingerprint, keep, stored } from "./decode.js";
import { Share } from "../bars/share.js";
import { PictureStage } from "../panels/picture.js";
import { Stage } from "../panels/stage.js";

// What a component shows: a class with receive(component), and left() where there is something to end
// when Streamlit takes it away.
const KINDS = { stage: Stage, curve: CurveStage, picture: PictureStage, knobs: KnobPanel, share: Share };
const mounted = new WeakMap();

// Comes once for a page, so that small messages (loader.js) are all that the others need.
export function mount() {
  if (!globalThis.__lapvizMount) {
    oneEntryPerPage();
    watchLinks();
  }
  globalThis.__lapvizMount = mountKind;
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}

// A component of that kind, called when it is mounted and whenever its data or the theme change.
export function mountKind(kind, component) {
  if (kind === "store") return store(component);
  passByMain();
  const { parentElement } = component;
  let shown = mounted.get(parentElement);
  if (!shown || shown.gone) mounted.set(parentElement, (shown = new KINDS[kind](parentElement)));
  shown.receive(component);
  // Streamlit also cleans up after calls that a newer one has replaced; a stage ends only with its
  // page, which is known at the next turn of the event loop.
  return () => setTimeout(() => shown.left?.(), 0);
}

// The component without a face: it brings the part of a scene that lasts.
function store({ data }) {
  try {
    const tag = fingerprint(data);
    const lasting = stored(tag) ?? decode(data).static;
    if (lasting) keep(tag, lasting);
  } catch (error) {
    console.warn("lapviz store:", error);
  }
}

export * as modules from "./modules.js";
export default mount;
openPage();
