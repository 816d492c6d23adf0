// The formula among a stage's settings: every symbol explains itself, and the one being changed is lit.

import { element, show } from "../paint/dom.js";

const HAND = "lapviz:hand"; // dispatched on the window, detail { term: "lam" | … | null }

// Light the symbols of a term in all formulas; null: none.
export function lightTerm(term) {
  window.dispatchEvent(new CustomEvent(HAND, { detail: { term } }));
}

export class Formula {
  // signal: ends the listening.
  constructor(signal) {
    this.node = element("div.formula");
    window.addEventListener(HAND, ({ detail }) => this.light(detail.term), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.closeTips(), { signal });
    this.write("");
  }

  // html: from lapviz/explorer/words/formula_line.py; "" for none.
  write(html) {
    if (html !== this.html) this.node.innerHTML = this.html = html;
    show(this.node, html);
  }

  // Light every symbol of that term, and no other; null: none.
  light(term) {
    for (const node of this.node.querySelectorAll("[data-term]"))
      node.classList.toggle("lit", node.dataset.term === term);
  }

  // Close open explanations until the pointer or the focus leaves their symbols.
  closeTips() {
    const open = ":is(.lv-term:hover, .lv-term:focus, .lv-term:focus-within)";
    for (const term of this.node.querySelectorAll(open)) {
      term.classList.add("hush");
      const reopen = () => term.classList.remove("hush");
      for (const kind of ["mouseleave", "blur"]) term.addEventListener(kind, reopen, { once: true });
    }
  }
}
