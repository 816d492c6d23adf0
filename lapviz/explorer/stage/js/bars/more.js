// The button “More” at the end of a bar, and the box below it with what is not needed at first.
// Whether it is open is the same for all stages.

import icons from "./icons.json";
import { barShows } from "../channel/page.js";
import { element, show, tool } from "../paint/dom.js";

const TITLE = "The other settings, the formula, and tools for the picture";

export class More {
  // changed: the box came or went.
  constructor(changed) {
    this.changed = changed;
    const toggle = () => this.turn(barShows("more", !this.open));
    this.button = tool(icons.more, "More", toggle, "More");
    this.button.title = TITLE;
    this.button.classList.add("opens");
    this.node = element("div.drawer", { role: "group", "aria-label": "More" });
    this.restore();
  }

  // Open or not, as it is elsewhere.
  restore() {
    this.put(barShows("more"));
  }

  put(open) {
    this.open = open;
    show(this.node, open);
    this.button.setAttribute("aria-expanded", String(open));
  }

  turn(open) {
    this.put(open);
    this.changed();
  }

  // Something is pointed at in the box: it opens for now.
  reveal(node) {
    if (!this.open && this.node.contains(node)) this.turn(true);
  }

  // Nothing stands in the box: then there is no button either.
  offer(any) {
    show(this.button, any);
    show(this.node, any && this.open);
  }
}
