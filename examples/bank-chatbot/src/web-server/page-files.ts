import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const PAGE = fileURLToPath(new URL("../../web", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** True where the name changes with the content. */
  readonly isImmutable: boolean;
}

/** The built page. */
export interface PageFiles {
  /** The file of a path; the page itself for any other path that a person may have in the address bar. */
  find(path: string): Promise<PageFile | undefined>;
  remove(): Promise<void>;
}

/** Builds the page with Vite, into a folder of its own. */
export async function buildPage(): Promise<PageFiles> {
  const outDir = await mkdtemp(join(tmpdir(), "bank-chatbot-page-"));
  await build({
    configFile: false,
    root: PAGE,
    plugins: [react()],
    logLevel: "error",
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
  return {
    async find(path) {
      const isPage = path === "/" || /^\/t\/[\w-]+$/.test(path);
      const name = isPage ? "/index.html" : path;
      const type = TYPES[extname(name)];
      if (!type || normalize(name) !== name) return undefined;
      try {
        const body = await readFile(join(outDir, name));
        return { type, body, isImmutable: name.startsWith("/assets/") };
      } catch {
        return undefined;
      }
    },
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
