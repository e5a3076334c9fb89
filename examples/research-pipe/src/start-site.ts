import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import { wordsOf } from "./key-passages.ts";
import { lettersFrom } from "./letters.ts";

const folder = new URL("../site/", import.meta.url);
const entry = z.object({ path: z.string(), title: z.string(), topics: z.string() });
const isPage = /^\/[a-z-]+$/;

export interface Site {
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves the small site of this example by HTTP on the loopback address: its pages, and `/search?q=`. Each
 * page is an article followed by letters from readers, as many as make it `pageBytes` long.
 */
export async function startSite(pageBytes: number): Promise<Site> {
  const index = z
    .array(entry)
    .parse(JSON.parse(await readFile(new URL("index.json", folder), "utf8")));

  async function answer(target: string, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(target, "http://site");
    if (pathname === "/search") {
      const found = search(index, searchParams.get("q") ?? "");
      const results = found.map(({ path, title }) => ({ url: `${url}${path}`, title }));
      response.setHeader("content-type", "application/json").end(JSON.stringify(results));
      return;
    }
    // An index outlives its pages: /gopher is found, and is gone.
    const article = isPage.test(pathname) && (await readArticle(pathname));
    if (!article) return void response.writeHead(404).end("There is no such page.\n");
    response.setHeader("content-type", "text/markdown; charset=utf-8");
    response.end(article + lettersFrom(pathname, pageBytes - Buffer.byteLength(article)));
  }

  const server = createServer((request, response) => {
    answer(request.url ?? "/", response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}

/** The entries that share a word with the question, those that share most first. */
function search(
  index: readonly z.infer<typeof entry>[],
  question: string,
): z.infer<typeof entry>[] {
  const asked = wordsOf(question);
  return index
    .map((page) => {
      const words = new Set(wordsOf(`${page.title} ${page.topics}`));
      return { page, score: asked.filter((word) => words.has(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ page }) => page);
}

async function readArticle(path: string): Promise<string | undefined> {
  return readFile(new URL(`.${path}.md`, folder), "utf8").catch(() => undefined);
}
