// The formula line above a stage: lights up the symbol that a hand moves.

const HAND = "lapviz:hand"; // dispatched on the window, detail { term: "lam" | … | null }

// A hand moves that term; null: it rests.
export function lightUp(term) {
  window.dispatchEvent(new CustomEvent(HAND, { detail: { term } }));
}

// Lights every symbol of that term, and no other; null: none.
function light(term) {
  for (const node of document.querySelectorAll("[data-term]")) {
    node.classList.toggle("lit", term != null && node.dataset.term === term);
  }
}

// Follows the hand for as long as the window lives. Escape closes an explanation.
export function followHands(target = window) {
  if (target.__lapvizHands) return;
  target.__lapvizHands = true;
  target.addEventListener(HAND, (event) => light(event.detail?.term ?? null));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hush();
  });
}

function hush() {
  const opened = document.querySelectorAll(".lv-term:hover, .lv-term:focus, .lv-term:focus-within");
  for (const term of opened) {
    term.classList.add("hush");
    const again = () => term.classList.remove("hush");
    for (const left of ["mouseleave", "blur"]) term.addEventListener(left, again, { once: true });
  }
}
