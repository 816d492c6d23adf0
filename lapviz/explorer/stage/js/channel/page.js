// The page around the stages: the address bar with one entry in the browser's history for each visit of
// a page, whether Python is busy, the sidebar, and the view of a scene.

import { preference } from "../bars/parts.js";
import { roundedForLink } from "../numbers/view.js";

export const shared = (globalThis.__lapviz ??= { paints: 0, last: null, stages: {} });
export const channels = new Set(); // of all stages and sliders on the page
const PRESENT = "present"; // in the query: 1 while the stage is presented

// Milliseconds that another page may take to open, after a link and after the removal of a page's query.
const OPENING_TIME = 4000;
const SWITCH_TIME = 1000;

let left = null; // the address of a page that is being left, and until when it may be

function leave(address, time) {
  left = { address: new URL(address), until: performance.now() + time };
}

function addressLeft({ pathname }) {
  const isPending = left?.address.pathname === pathname && performance.now() < left.until;
  return isPending ? left.address : null;
}

// Streamlit adds an entry whenever the query changes, that is after every change of λ, and Back would
// step through them one by one. Within a page, the entry is replaced instead.
export function oneEntryPerPage() {
  const { history } = window;
  shared.presenting ||= new URL(window.location.href).searchParams.get(PRESENT) === "1";
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const from = new URL(window.location.href);
    const to = new URL(url ?? "", from);
    if (to.pathname === from.pathname) {
      // `st.switch_page` first removes the query of the page that it leaves.
      if (from.search && !to.search && !addressLeft(from)) leave(from, SWITCH_TIME);
      history.replaceState(state, title, withView(to));
      return;
    }
    // Back leads to the page as it was left. Streamlit may have set the next page's query before its path.
    const address = addressLeft(from);
    if (address) history.replaceState(history.state, "", address);
    left = null;
    push(state, title, url);
  };
}

let lastNavigation = -Infinity;

// Has a link to another page just been followed? A stage that was mounted since then is on that page.
export function isLeaving(mounted) {
  return mounted < lastNavigation && performance.now() - lastNavigation < OPENING_TIME;
}

// Pages with the same settings: what is typed on one while another opens, however slowly, would be lost.
const SHARED = ["labels-stage", "eigen-stage"];
const CARRY_TIME = 30_000; // milliseconds
let lastMoved = null; // the stage of the knob that was moved last

export function knobMoved(stage) {
  lastMoved = stage;
}

// Changes on the page just left that Python has not answered: names and values, returned once.
export function carriedChanges(stage) {
  const from = lastMoved;
  if (!from || from === stage || performance.now() - lastNavigation > CARRY_TIME) return [];
  if (![from, stage].every(({ key }) => SHARED.includes(key))) return [];
  lastMoved = null;
  return [...from.channel.changes].map(([name, { value }]) => [name, value]);
}

const MOST_WAIT = 2000; // milliseconds that a link waits for Python

// Has Python answered everything? A control that is still moved does not count.
function allAnswered() {
  for (const channel of channels) if (!channel.stage.root?.isConnected) channels.delete(channel);
  return [...channels].every((channel) => channel.moving || (channel.isAnswered && !channel.unsent));
}

// The request for another page carries nothing of this one, and Streamlit drops messages that are still
// queued before it, for example quick labels. So a link is followed once Python has answered.
export function watchLinks() {
  let waiting = null; // the link that waits, and since when
  const follow = () => {
    if (!allAnswered() && performance.now() - waiting.since < MOST_WAIT) return setTimeout(follow, 20);
    waiting.followed = true;
    waiting.link.click();
    waiting = null;
  };
  const onClick = (event) => {
    const link = event.target.closest?.('a[href]:not([target="_blank"]):not([href^="#"])');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // these open a window
    if (waiting?.followed || (!waiting && allAnswered())) {
      lastNavigation = performance.now();
      saveNow();
      return leave(window.location, OPENING_TIME);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (waiting) return (waiting.link = link);
    waiting = { link, since: performance.now() };
    follow();
  };
  document.addEventListener("click", onClick, true);
  window.addEventListener("popstate", () => (lastNavigation = performance.now()));
}

// ---- Python -----------------------------------------------------------------------------------

export const STATE = "data-test-script-state"; // set for fragments, too
const BUSY = ["running", "rerunRequested"];

// Streamlit's app; null in a page without Python.
export function streamlitApp() {
  return document.querySelector('[data-testid="stApp"]');
}

export function isBusy(app = streamlitApp()) {
  return BUSY.includes(app?.getAttribute(STATE));
}

// Streamlit makes the scrolling part of the page a tab stop; it contains controls, and “Skip to main
// content” reaches it without that.
export function removeMainFromTabOrder() {
  document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1");
}

// ---- the sidebar ------------------------------------------------------------------------------

// On an upright tablet an open sidebar leaves room for one picture only. Streamlit closes it at the
// start on phones only; here it stays closed until the user does something.
const WIDEST = 1000; // pixels of a window that starts without it
const OPEN =
  '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) ' +
  '[data-testid="stSidebarCollapseButton"] button';
const USER_EVENTS = ["pointerdown", "keydown"];

export function startWithoutSidebar() {
  if (window.__lapvizSidebar || window.innerWidth > WIDEST) return;
  window.__lapvizSidebar = true;
  const close = () => document.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => watch.disconnect();
  for (const kind of USER_EVENTS) document.addEventListener(kind, end, { capture: true, once: true });
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}

// ---- the view ---------------------------------------------------------------------------------

// The view of a scene in the address: one panel enlarged, one scale, errors, zoom, rotation; and the state
// of the bars. Only this file reads and writes the query's keys `stage`, `present`, `letters` and `more`;
// Python leaves them alone.

const KEY = "stage";
const PAGE_STAGES = /-(stage|fields)$/;
const WRITE_DELAY = 400; // milliseconds without a change before the address is written
const MOST_CHARACTERS = 120;
// Parts without numbers, and the settings of the display that they stand for.
const SWITCHES = { a: { all: true }, s: { sameScale: true }, x: { errors: true }, i: { images: false } };

let written = null; // the text that this file wrote last
let timer = 0;
let saveNow = () => {}; // writes the view that waits to be written

// Is this the main stage of its page?
export function isPageStage({ key, alone }) {
  return PAGE_STAGES.test(key) && !alone;
}

// The view as the value of `stage`; "" for the default view, in which errors are marked. In other views
// an x says that they are; "o" alone is the default view without the marks.
export function viewText({ display, view, scene, panels }) {
  const parts = [];
  if (display.enlarged !== null) parts.push(`e${display.enlarged}`);
  if (display.all && panels.length > 1) parts.push("a");
  if (display.sameScale) parts.push("s");
  if (view.zoomed) parts.push(`z${[roundedForLink(view.zoom), ...view.centre.map(within(view))].join("_")}`);
  if (scene.space && view.zoomed) parts.push(`t${[view.azimuth, view.elevation].map(roundedForLink).join("_")}`);
  if (display.hasImages && !display.images) parts.push("i");
  const isDefault = display.errors || !display.truthKnown;
  if (!parts.length) return isDefault ? "" : "o";
  return [...parts, ...(display.errors ? ["x"] : [])].join("~");
}

// Put the view into a link.
export function linkView(url, stage) {
  const text = viewText(stage);
  if (text) url.searchParams.set(KEY, text);
}

// Rounds places to some thousandths of the view, however far from 0 it is.
function within({ range: [x0, x1] }) {
  const digits = (v) => 4 + Math.max(Math.ceil(Math.log10(Math.abs(v) / (x1 - x0))), 0);
  return (v) => (v ? Number(v.toPrecision(Math.min(digits(v), 15))) : 0);
}

// Apply the view in the address, which may contain anything.
export function applyLinkedView(stage) {
  const text = new URL(window.location.href).searchParams.get(KEY) ?? "";
  if (!isPageStage(stage) || text === (written ?? "") || text.length > MOST_CHARACTERS) return;
  const { display, view, scene } = stage;
  if (text) display.errors = false;
  for (const part of text.split("~")) {
    const numbers = part.slice(1).split("_").map(Number); // [0] of a part without numbers
    if (!numbers.every(Number.isFinite)) continue;
    Object.assign(display, SWITCHES[part]);
    if (part[0] === "e" && Number.isInteger(numbers[0])) display.enlarge(numbers[0]);
    else if (part[0] === "z" && numbers.length === 3) view.lookAt(...numbers);
    else if (part[0] === "t" && numbers.length === 2 && scene.space) view.rotateTo?.(...numbers);
  }
  display.follow();
  written = text;
}

// Write the view into the address once it no longer changes.
export function saveView(stage) {
  if (!isPageStage(stage)) return;
  clearTimeout(timer);
  saveNow = () => {
    clearTimeout(timer);
    if (stage.gone || !stage.scene) return;
    const text = viewText(stage);
    if (text === (written ?? "")) return;
    written = text;
    writeView();
  };
  timer = setTimeout(saveNow, WRITE_DELAY);
}

export function writeView() {
  window.history.replaceState(window.history.state, "", withView(new URL(window.location.href)));
}

// An address of this page with the current view; Streamlit's own may be older.
export function withView(url) {
  if (written) url.searchParams.set(KEY, written);
  else if (written !== null) url.searchParams.delete(KEY);
  const flags = { [PRESENT]: Boolean(shared.presenting), ...barSettings };
  for (const [key, on] of Object.entries(flags)) {
    if (on) url.searchParams.set(key, "1");
    else url.searchParams.delete(key);
  }
  return url;
}

// ---- the bars ---------------------------------------------------------------------------------

// Are sliders named by their letters alone, is “More” open? As the user or the address has set it since the
// page was opened; else as stored in this browser, which goes into an address only when that is copied.
const barSettings = {};
const storageKey = (name) => `lapviz.${name}`;

// Is `name`, "letters" or "more", on? With `on` it is set first.
export function barSetting(name, on = null) {
  if (on !== null) {
    barSettings[name] = preference(storageKey(name), on);
    if (streamlitApp()) writeView();
  } else if (new URL(window.location.href).searchParams.get(name) === "1") barSettings[name] ??= true;
  return barSettings[name] ?? preference(storageKey(name));
}

// The page's address, without what Streamlit Community Cloud puts into that of the frame around an app.
export function pageAddress() {
  return window.location.href.replace("/~/+/", "/");
}

// The page's address with the state of the bars, to be copied.
export function addressToShare() {
  saveNow();
  const url = new URL(pageAddress());
  for (const name of ["letters", "more"]) if (barSetting(name)) url.searchParams.set(name, "1");
  return url.href;
}
