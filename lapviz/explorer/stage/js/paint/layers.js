// What all panels have in common and none changes while λ moves, drawn once: the points, and the
// fading far from them.

import { fit } from "./dom.js";
import { drawDots } from "./marks.js";
import { drawCover } from "../numbers/near.js";
import { clipTo, regionOf } from "./region.js";

export class Layers {
  constructor() {
    this.made = new Map();
  }

  dots(stage) {
    const { scene, view, box, theme } = stage;
    return this.layer("dots", scene.points, stage, (context) =>
      drawDots(context, scene.points, view, box, theme),
    );
  }

  cover(stage) {
    return this.layer("cover", stage.scene.grid, stage, (context) => paintCover(context, stage));
  }

  // A canvas as large as a panel's, drawn anew where its content, size, zoom or theme changed.
  layer(name, content, { theme, view, size, box, ratio }, draw) {
    const tag = [theme.id, size.width, size.height, box.x, box.w, box.h, ratio, ...view.range];
    const key = tag.join();
    const known = this.made.get(name) ?? { canvas: document.createElement("canvas") };
    if (known.key === key && known.content === content) return known.canvas;
    this.made.set(name, Object.assign(known, { key, content }));
    fit(known.canvas, size.width, size.height, ratio);
    const context = known.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.save();
    draw(context);
    context.restore();
    return known.canvas;
  }
}

// The fading within a panel's frame.
export function paintCover(context, { scene, view, box, theme }) {
  const region = regionOf(scene.grid, view, box);
  context.save();
  clipTo(context, box);
  clipTo(context, region);
  drawCover(context, scene.grid, region, theme);
  context.restore();
}
