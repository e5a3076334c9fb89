// Bundles the built core as a browser would get it, its validator apart, for size-limit to weigh.
import { join } from "node:path";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const HOST = "createHost, modelView, userView";
const ENTRIES = {
  host: `export { ${HOST} } from "@toolrail/core";`,
  pipes: `export { ${HOST}, describePipeTool, runPipe, toPipeReply } from "@toolrail/core";`,
  guard: `export { ${HOST}, createSingleStep } from "@toolrail/core";`,
  all: 'export * from "@toolrail/core";',
};

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
  const file = join(ROOT, "node_modules/.cache/size", `${name}.js`);
  await bundle.write({ file, format: "esm", minify: true, codeSplitting: false });
}
