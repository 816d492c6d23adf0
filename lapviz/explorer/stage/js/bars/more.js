// The button “More” at the end of a bar, and the box below it with the less frequent tools. All stages
// share whether it is open.

import icons from "./icons.json";
import { barSetting } from "../channel/page.js";
import { element, show, tool } from "../paint/dom.js";

const TITLE = "The other settings, the formula, and tools for the picture";

export class More {
  // changed: called when the box was opened or closed.
  constructor(changed) {
    this.changed = changed;
    const toggle = () => this.setOpen(barSetting("more", !this.open));
    this.button = tool(icons.more, "More", toggle, "More");
    this.button.title = TITLE;
    this.button.classList.add("opens");
    this.node = element("div.drawer", { role: "group", "aria-label": "More" });
    this.display(barSetting("more"));
  }

  display(open) {
    this.open = open;
    show(this.node, open);
    this.button.setAttribute("aria-expanded", String(open));
  }

  setOpen(open) {
    this.display(open);
    this.changed();
  }

  // Open the box for now if the node is in it.
  reveal(node) {
    if (!this.open && this.node.contains(node)) this.setOpen(true);
  }

  // Without anything in the box the button is hidden, too.
  offer(any) {
    show(this.button, any);
    show(this.node, any && this.open);
  }
}
