// Builds js/, vendor/ and contract.json into lapviz/figures/stage/bundle.js, the one file
// that Python serves and puts into live pages:
//
//   npm ci && npm run build      (in this folder, after any change to those files)
//
// bundle.js is committed: neither a user nor a host needs Node. Its first lines name a hash of the
// sources, which a test recomputes.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(HERE, "../../figures/stage/bundle.js");

// sha256 over "name, newline, text" of every source, sorted by name; names are from this folder.
function sourcesHash() {
  const listed = (folder) =>
    readdirSync(join(HERE, folder), { recursive: true }).map((name) => `${folder}/${name}`);
  const scripts = [...listed("js"), ...listed("vendor")].filter((name) => /\.js(on)?$/.test(name));
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
