// The formula among a stage's settings: every symbol explains itself, and the one that a hand moves is lit.

import { element, show } from "../paint/dom.js";

const HAND = "lapviz:hand"; // dispatched on the window, detail { term: "lam" | … | null }

// A hand moves that term; null: it rests.
export function lightUp(term) {
  window.dispatchEvent(new CustomEvent(HAND, { detail: { term } }));
}

export class Formula {
  // signal: ends it.
  constructor(signal) {
    this.node = element("div.formula");
    window.addEventListener(HAND, ({ detail }) => this.light(detail.term), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hush(), { signal });
    this.write("");
  }

  // html: as lapviz/explorer/words/formula_line.py writes it; "" for none.
  write(html) {
    if (html !== this.html) this.node.innerHTML = this.html = html;
    show(this.node, html);
  }

  // Lights every symbol of that term, and no other; null: none.
  light(term) {
    for (const node of this.node.querySelectorAll("[data-term]"))
      node.classList.toggle("lit", node.dataset.term === term);
  }

  // Closes an explanation until it is left.
  hush() {
    const opened = ":is(.lv-term:hover, .lv-term:focus, .lv-term:focus-within)";
    for (const term of this.node.querySelectorAll(opened)) {
      term.classList.add("hush");
      const again = () => term.classList.remove("hush");
      for (const left of ["mouseleave", "blur"]) term.addEventListener(left, again, { once: true });
    }
  }
}
