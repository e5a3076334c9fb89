import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const pinned = z.object({
  repository: z.string(),
  commit: z.string(),
  /** The SHA-256 of each file by its path. */
  files: z.record(z.string(), z.string()),
});

/** Files of a public repository at one commit. They are read at run time, and never part of this repository. */
export type PinnedFiles = z.infer<typeof pinned>;

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/evidence/", import.meta.url));

export interface FetchOptions {
  /** Default: a folder in `node_modules/.cache`. */
  readonly folder?: string;
  readonly fetch?: typeof fetch;
}

/** Reads the list of files in `pinned.json` beside a script. */
export async function readPinned(url: URL): Promise<PinnedFiles> {
  return pinned.parse(JSON.parse(await readFile(url, "utf8")));
}

/**
 * Brings the files into a folder, as far as they are not there yet, and returns it. Throws if a file cannot be fetched,
 * or is not the one whose hash is pinned.
 */
export async function fetchPinned(
  { repository, commit, files }: PinnedFiles,
  { folder = join(CACHE, repository, commit), fetch: get = fetch }: FetchOptions = {},
): Promise<string> {
  for (const [path, hash] of Object.entries(files)) {
    const file = join(folder, path);
    const kept = await readFile(file).catch(() => undefined);
    if (kept && sha256(kept) === hash) continue;
    const url = `https://raw.githubusercontent.com/${repository}/${commit}/${path}`;
    const bytes = await load(url, get);
    if (sha256(bytes) !== hash) throw new Error(`${url} is not the file that was measured.`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return folder;
}

async function load(url: string, get: typeof fetch): Promise<Uint8Array> {
  const response = await get(url).catch((cause: unknown) => {
    const text =
      `${url} could not be fetched. The data are not part of this repository: connect to the network, ` +
      "or give the folder of a clone.";
    throw new Error(text, { cause });
  });
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
