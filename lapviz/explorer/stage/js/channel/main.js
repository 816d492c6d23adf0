// The entry points: for Streamlit those of the component that loads this code and of those that wait
// for it; the modules for tests; in a saved page the stage opens itself.

import { oneEntryPerPage, removeMainFromTabOrder, shared, startWithoutSidebar, watchLinks } from "./page.js";
import { openPage } from "../panels/alone.js";
import { CurveStage } from "../panels/curve.js";
import { KnobPanel } from "../bars/knob.js";
import { keep } from "./decode.js";
import { Share } from "../bars/share.js";
import { PictureStage } from "../panels/picture.js";
import { Stage } from "../panels/stage.js";

// What a component shows: a class with receive(component), and endIfDetached() if it needs clean-up
// after Streamlit has removed it.
const KINDS = { stage: Stage, curve: CurveStage, picture: PictureStage, knobs: KnobPanel, share: Share };
const mounted = new WeakMap();

let style = null; // the style sheet of all kinds

// Called once for a page; the other components only need a small loader (loader.js). Its data are the style
// sheet, which each message of another component would repeat. This component is in no fragment, so its
// trigger runs the full page.
export function mount(component) {
  shared.runPage = () => component.setTriggerValue("run", Date.now());
  if (component.data && !style) (style = new CSSStyleSheet()).replaceSync(component.data);
  if (!globalThis.__lapvizMount) {
    oneEntryPerPage();
    watchLinks();
  }
  globalThis.__lapvizMount = mountKind;
  removeMainFromTabOrder();
  startWithoutSidebar();
  window.dispatchEvent(new Event("lapviz:ready"));
}

// Mounts a component of that kind; also called whenever its data or the theme change.
export function mountKind(kind, component) {
  if (kind === "store") return store(component);
  removeMainFromTabOrder();
  const { parentElement } = component;
  const { adoptedStyleSheets } = parentElement.getRootNode();
  if (style && !adoptedStyleSheets.includes(style)) adoptedStyleSheets.push(style);
  let view = mounted.get(parentElement);
  if (!view || view.gone) mounted.set(parentElement, (view = new KINDS[kind](parentElement)));
  view.receive(component);
  // Streamlit also cleans up after calls that a newer one has replaced; a stage ends only with its
  // page, which is known at the next turn of the event loop.
  return () => setTimeout(() => view.endIfDetached?.(), 0);
}

// The component without an appearance: it delivers the static part of a scene.
function store({ data }) {
  try {
    keep(data);
  } catch (error) {
    console.warn("lapviz store:", error);
  }
}

export * as modules from "./modules.js";
export default mount;
openPage();
