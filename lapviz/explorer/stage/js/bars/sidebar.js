// On a tablet held upright an open sidebar leaves room for one picture. Streamlit starts with it
// closed on phones only; here it is closed until a hand does anything.

const WIDEST = 1000; // pixels of a window that starts without
const OPEN =
  '[data-testid="stSidebar"]:is([data-collapsed="false"], [aria-expanded="true"]) ' +
  '[data-testid="stSidebarCollapseButton"] button';
const HANDS = ["pointerdown", "keydown"];

export function startWithoutSidebar(window = globalThis) {
  if (window.__lapvizSidebar || window.innerWidth > WIDEST) return;
  window.__lapvizSidebar = true;
  const { document } = window;
  const close = () => document.querySelector(OPEN)?.click();
  const watch = new MutationObserver(close);
  const end = () => {
    watch.disconnect();
    for (const hand of HANDS) document.removeEventListener(hand, end, true);
  };
  for (const hand of HANDS) document.addEventListener(hand, end, true);
  const attributeFilter = ["data-collapsed", "aria-expanded"];
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  close();
}
