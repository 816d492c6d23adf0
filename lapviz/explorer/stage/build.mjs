// Builds js/, vendor/ and contract.json into lapviz/figures/stage/bundle.js, the single file
// that Python serves and puts into live pages:
//
//   npm ci && npm run build      (in this folder, after any change to those files)
//
// bundle.js is committed, so that neither users nor hosts need Node. Its first lines have a hash of
// the sources, which a test recomputes.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(HERE, "../../figures/stage/bundle.js");

// sha256 over "name, newline, text" of every source, sorted by name relative to this folder.
function sourcesHash() {
  const filesIn = (folder) =>
    readdirSync(join(HERE, folder), { recursive: true }).map((name) => `${folder}/${name}`);
  const scripts = [...filesIn("js"), ...filesIn("vendor")].filter((name) => /\.js(on)?$/.test(name));
  const hash = createHash("sha256");
  for (const name of ["../../contract.json", ...scripts].sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(HERE, name), "utf8"));
  }
  return hash.digest("hex");
}

const banner = [
  "// Built by esbuild (build.mjs) from js/, vendor/ and contract.json: edit those, not this.",
  `// sources: sha256 ${sourcesHash()}`,
  "// Holds d3-contour and d3-array, ISC, see LICENSE-d3.txt.",
].join("\n");

const { outputFiles } = await build({
  absWorkingDir: HERE,
  entryPoints: ["js/channel/main.js"],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: banner },
});
writeFileSync(out, outputFiles[0].text);
