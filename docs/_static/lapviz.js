// Live pictures are light or dark as the page around them is.
const root = document.documentElement;

function tell(frame) {
  frame.contentWindow?.postMessage({ lapvizTheme: root.dataset.theme }, "*");
}

addEventListener("DOMContentLoaded", () => {
  const frames = [...document.querySelectorAll("iframe.live")];
  frames.forEach(tell); // those that were there before this ran; the others ask
  addEventListener("message", ({ data }) => {
    if (data?.lapvizTheme === "?") frames.forEach(tell);
  });
  new MutationObserver(() => frames.forEach(tell)).observe(root, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });
});
