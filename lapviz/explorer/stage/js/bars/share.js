// Buttons that copy the page's address, or the code that embeds it; and its QR code.

import { addressHere } from "../channel/page.js";
import { copy, element, setText } from "../paint/dom.js";

const BACK = 1600; // milliseconds after which a button says again what it does
const NO_SETTINGS = /^(stage|present|letters|more|part|embed.*)$/; // parts of an address that links leave out
const NO_CODE = "This page has no QR code here: under its picture, without hide=page, it has.";

let latest = null; // what was received last

// The QR code of the address as it is now: {qr, why, alt} as receive() has them; while Python's is that of
// another address there is only a sentence.
export function codeOfLink() {
  if (!latest?.root.isConnected) return { qr: "", why: NO_CODE };
  const current = sameSettings(latest.data.link, window.location.href);
  return current ? latest.data : { qr: "", why: "The code is on its way …" };
}

function sameSettings(one, other) {
  const parts = (address) => {
    const { pathname, searchParams } = new URL(address);
    const kept = [...searchParams].filter(([name]) => !NO_SETTINGS.test(name));
    return [pathname, ...kept.map((pair) => pair.join("=")).sort()].join("&");
  };
  return Boolean(one) && parts(one) === parts(other);
}

export class Share {
  constructor(parent) {
    this.link = this.button("Copy link", "The address of exactly this view", addressHere);
    this.embed = this.button("Copy embed code", "An iframe for slides or a course page", () =>
      embedCode(addressHere(), this.data));
    const title = "This view's address, for phones";
    const shown = { type: "button", title, "aria-expanded": "false", onclick: () => this.toggle() };
    this.shown = element("button.swatch", shown, "QR code");
    this.said = element("span", { role: "status" });
    this.picture = element("img.qr", { width: 232, height: 232 });
    this.why = element("span");
    this.box = element("div.qrbox", {}, this.picture, this.why);
    this.box.hidden = true;
    const row = element("div.toolbar", {}, this.link, this.embed, this.shown, this.said);
    this.root = element("div.stage.sharing", { "data-size": "wide" }, row, this.box);
    parent.append(this.root);
  }

  // `text`: what it copies.
  button(label, title, text) {
    const onclick = async ({ target: node }) => {
      const copied = text();
      const done = await copy(copied);
      if (!done) {
        // Where the clipboard is refused, the text comes to be copied by hand.
        const look = { value: copied, readonly: true, "aria-label": "To copy" };
        const field = element("input.copyfield", look);
        node.parentNode.querySelector(".copyfield")?.remove();
        node.after(field);
        field.select();
      }
      setText(this.said, done ? "Copied" : "");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => setText(this.said, ""), BACK);
    };
    return element("button.swatch", { type: "button", title, onclick }, label);
  }

  toggle() {
    this.box.hidden = !this.box.hidden;
    this.shown.setAttribute("aria-expanded", String(!this.box.hidden));
  }

  // data: {title, height, link, qr (an image's address or ""), why (a sentence in its place), alt}
  receive({ data }) {
    this.data = data;
    latest = this;
    const { qr, why, alt } = data;
    this.picture.hidden = !qr;
    if (qr) Object.assign(this.picture, { src: qr, alt });
    setText(this.why, why);
  }
}

// As lapviz/figures/live_picture.py writes it.
// `hide`: what the page leaves out there besides what it does here.
export function embedCode(address, { title, height, hide }) {
  const url = new URL(address);
  url.searchParams.set("embed", "true");
  const hidden = [url.searchParams.get("hide"), hide].filter(Boolean);
  if (hidden.length) url.searchParams.set("hide", hidden.join());
  const look = { width: "100%", height, style: "border: 0", loading: "lazy" };
  const allow = "fullscreen; clipboard-write";
  return element("iframe", { src: url.href, title, ...look, allow }).outerHTML;
}
