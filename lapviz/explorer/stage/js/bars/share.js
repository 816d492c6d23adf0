// Buttons that copy the page's address, or the code that embeds it; and its QR code.

import { addressToShare, pageAddress } from "../channel/page.js";
import { copy, element, setText, show } from "../paint/dom.js";

const STATUS_TIME = 1600; // milliseconds that “Copied” is shown
const NO_SETTINGS = /^(stage|present|letters|more|part|embed.*)$/; // keys that links leave out
const NO_CODE = "There is no QR code here; open the page without hide=page to get one below the picture.";

let latest = null; // the Share that received data last

// The QR code of the current address: {qr, why, alt} for a CodeBox; only a sentence while Python's code is
// that of another address.
export function currentCode() {
  if (!latest?.root.isConnected) return { qr: "", why: NO_CODE };
  const current = sameSettings(latest.data.link, pageAddress());
  return current ? latest.data : { qr: "", why: "The code is on its way …" };
}

function sameSettings(a, b) {
  const parts = (address) => {
    const { pathname, searchParams } = new URL(address);
    const settings = [...searchParams].filter(([name]) => !NO_SETTINGS.test(name));
    return [pathname, ...settings.map((pair) => pair.join("=")).sort()].join("&");
  };
  return Boolean(a) && parts(a) === parts(b);
}

// A button, and the QR code that it shows or hides, or the reason why there is none.
export class CodeBox {
  // changed(shown): called when the code is shown or hidden.
  constructor(button, title, box, changed = () => {}) {
    this.changed = changed;
    const attributes = { type: "button", title, "aria-expanded": "false", onclick: () => this.toggle() };
    this.button = element(button, attributes, "QR code");
    this.image = element("img.qr", { width: 232, height: 232 });
    this.reason = element("span");
    this.node = element(box, { role: "status" }, this.image, this.reason);
    this.node.hidden = true;
  }

  toggle() {
    this.node.hidden = !this.node.hidden;
    this.button.setAttribute("aria-expanded", String(!this.node.hidden));
    if (!this.node.hidden) this.node.scrollIntoView({ block: "center" });
    this.changed(!this.node.hidden);
  }

  // qr: the image's address or ""; why: a sentence in its place.
  update({ qr, why, alt }) {
    show(this.image, qr);
    if (qr && this.image.src !== qr) Object.assign(this.image, { src: qr, alt });
    setText(this.reason, why);
  }
}

export class Share {
  constructor(parent) {
    this.link = this.button("Copy link", "The address of exactly this view", addressToShare);
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () =>
      embedCode(addressToShare(), this.data));
    this.code = new CodeBox("button.swatch", "These settings' address, for phones", "div.qrbox");
    this.status = element("span", { role: "status" });
    const row = element("div.tools", {}, this.link, this.embed, this.code.button, this.status);
    this.root = element("div.stage.sharing", { "data-size": "wide" }, row, this.code.node);
    parent.append(this.root);
  }

  // text(): what the button copies.
  button(label, title, text) {
    const onclick = async ({ target: node }) => {
      const value = text();
      const done = await copy(value);
      if (!done) {
        // If the clipboard is refused, show the text to be copied by hand.
        const attributes = { value, readonly: true, "aria-label": "To copy" };
        const field = element("input.copyfield", attributes);
        node.parentNode.querySelector(".copyfield")?.remove();
        node.after(field);
        field.select();
      }
      setText(this.status, done ? "Copied" : "");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => setText(this.status, ""), STATUS_TIME);
    };
    return element("button.swatch", { type: "button", title, onclick }, label);
  }

  // data: {title, height, hide, link, and the code: qr, why, alt}
  receive({ data }) {
    this.data = data;
    latest = this;
    this.code.update(data);
  }
}

// The same code as from lapviz/figures/live_picture.py. `hide`: groups that the embedded page leaves out in
// addition to those of the address.
export function embedCode(address, { title, height, hide }) {
  const url = new URL(address);
  url.searchParams.set("embed", "true");
  const hidden = [url.searchParams.get("hide"), hide].filter(Boolean);
  if (hidden.length) url.searchParams.set("hide", hidden.join());
  const size = { width: "100%", height, style: "border: 0", loading: "lazy" };
  const allow = "fullscreen; clipboard-write";
  return element("iframe", { src: url.href, title, ...size, allow }).outerHTML;
}
