// Bundles the built core as a browser would get it, its validator apart, for size-limit to weigh.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "node_modules/.cache/size");
const HOST = 'export { createHost, modelView, userView } from "@toolrail/core";';
const FACES = ["", "/pipe", "/guard", "/contract", "/source", "/adapter"];
const ENTRIES = {
  host: HOST,
  pipes: `${HOST} export { definePipeTool, runPipe, toPipeReply } from "@toolrail/core/pipe";`,
  guard: `${HOST} export { createSingleStep } from "@toolrail/core/guard";`,
  all: FACES.map((face) => `export * from "@toolrail/core${face}";`).join("\n"),
};

rmSync(FOLDER, { recursive: true, force: true });
for (const [name, code] of Object.entries(ENTRIES)) {
  const bundle = await rolldown({
    input: "entry",
    cwd: ROOT,
    external: ["@cfworker/json-schema"],
    platform: "browser",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? join(ROOT, "entry.js") : null),
        load: (id) => (id === join(ROOT, "entry.js") ? code : null),
      },
    ],
  });
  // What is loaded on demand, as the language of rails, stands in files of its own.
  await bundle.write({
    dir: FOLDER,
    entryFileNames: `${name}.js`,
    chunkFileNames: `${name}-[name].js`,
    format: "esm",
    minify: true,
  });
}
