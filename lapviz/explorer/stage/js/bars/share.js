// Buttons that copy the page's address, or the code that embeds it; and its QR code.

import { addressToShare, pageAddress } from "../channel/page.js";
import { copy, element, setText } from "../paint/dom.js";

const STATUS_TIME = 1600; // milliseconds that “Copied” is shown
const NO_SETTINGS = /^(stage|present|letters|more|part|embed.*)$/; // keys that links leave out
const NO_CODE = "There is no QR code here; open the page without hide=page to get one below the picture.";

let latest = null; // the Share that received data last

// The QR code of the current address: {qr, why, alt} as in receive(); only a sentence while Python's code is
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

export class Share {
  constructor(parent) {
    this.link = this.button("Copy link", "The address of exactly this view", addressToShare);
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () =>
      embedCode(addressToShare(), this.data));
    const title = "This view's address, for phones";
    const attributes = { type: "button", title, "aria-expanded": "false", onclick: () => this.toggle() };
    this.codeButton = element("button.swatch", attributes, "QR code");
    this.status = element("span", { role: "status" });
    this.picture = element("img.qr", { width: 232, height: 232 });
    this.reason = element("span");
    this.box = element("div.qrbox", {}, this.picture, this.reason);
    this.box.hidden = true;
    const row = element("div.toolbar", {}, this.link, this.embed, this.codeButton, this.status);
    this.root = element("div.stage.sharing", { "data-size": "wide" }, row, this.box);
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

  toggle() {
    this.box.hidden = !this.box.hidden;
    this.codeButton.setAttribute("aria-expanded", String(!this.box.hidden));
  }

  // data: {title, height, link, qr (an image's address or ""), why (a sentence in its place), alt}
  receive({ data }) {
    this.data = data;
    latest = this;
    const { qr, why, alt } = data;
    this.picture.hidden = !qr;
    if (qr) Object.assign(this.picture, { src: qr, alt });
    setText(this.reason, why);
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
