// Bundles the built core and the validator apart, each as a browser would get it, for size-limit to weigh.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { chunksAtOnce } from "./chunks-at-once.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "node_modules/.cache/size");
/** The modules that a host loads if it is given no validator. */
const VALIDATOR = ["@toolrail/json/validator"];
const HOST = 'export { createHost, modelView, userView } from "@toolrail/core";';
const FACES = [
  ...["core", "core/contract", "core/adapter", "plugins/references", "plugins/sources"],
  ...["pipe", "guard", "guard/adapter", "json", "json/schema", "json/cel"],
];
const ENTRIES = {
  host: HOST,
  pipes: `${HOST} export { definePipeTool, runPipe, toPipeReply } from "@toolrail/pipe";`,
  guard: `${HOST} export { createSingleStep } from "@toolrail/guard";`,
  connect: `${HOST} export { http } from "@toolrail/core/connect";`,
  validator: 'export { createValidator } from "@toolrail/json/validator";',
  all: FACES.map((face) => `export * from "@toolrail/${face}";`).join("\n"),
};

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, code] of Object.entries(ENTRIES)) {
  const bundle = await rolldown({
    input: "entry",
    cwd: ROOT,
    external: name === "validator" ? [] : VALIDATOR,
    platform: "browser",
    // The entry of a page exports nothing, so that it may hold what its later parts share.
    preserveEntrySignatures: "allow-extension",
    onLog(level, log, report) {
      const isUnbuilt = log.code === "UNRESOLVED_IMPORT" && log.message.includes("@toolrail/");
      if (isUnbuilt)
        throw new Error("The packages are not built: run `npm run check:build` first.");
      report(level, log);
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? join(ROOT, "entry.js") : null),
        load: (id) => (id === join(ROOT, "entry.js") ? code : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const atOnce = chunksAtOnce(output);
  const files = { [`${name}.js`]: "", [`${name}-on-demand.js`]: "" };
  for (const part of output) {
    if (part.type !== "chunk") continue;
    files[atOnce.has(part) ? `${name}.js` : `${name}-on-demand.js`] += part.code;
  }
  for (const [file, code] of Object.entries(files)) writeFileSync(join(FOLDER, file), code);
}
