import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The built page: its files by their path, such as "/index.html". */
export type Page = Awaited<ReturnType<typeof buildPage>>;

/** Builds the page with Vite, in memory. */
export async function buildPage() {
  const root = fileURLToPath(new URL("../../web", import.meta.url));
  const built = await build({
    ...{ configFile: false, root, plugins: [react()], logLevel: "error" },
    build: { write: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  const outputs = "output" in built ? built.output : [];
  return new Map(
    outputs.map((file) => {
      const body = file.type === "chunk" ? file.code : file.source;
      return [`/${file.fileName}`, { type: TYPES[extname(file.fileName)] ?? "", body }];
    }),
  );
}
