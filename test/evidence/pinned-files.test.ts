import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fetchPinned } from "./pinned-files.ts";

const TEXT = "the data";
const FILES = {
  repository: "some/where",
  commit: "abc",
  files: { "data/one.json": createHash("sha256").update(TEXT).digest("hex") },
};

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), "evidence-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("A pinned file is fetched at its commit once, and then kept.", async () => {
  const folder = await newFolder();
  const get = vi.fn(async () => new Response(TEXT));
  expect(await fetchPinned(FILES, { folder, fetch: get })).toBe(folder);
  await fetchPinned(FILES, { folder, fetch: get });
  expect(get.mock.calls).toEqual([
    ["https://raw.githubusercontent.com/some/where/abc/data/one.json"],
  ]);
  expect(await readFile(join(folder, "data/one.json"), "utf8")).toBe(TEXT);
});

test.each([
  ["has another hash", async () => new Response("other data"), /is not the file that was measured/],
  ["is not there", async () => new Response("", { status: 404 }), /answered with 404/],
  ["cannot be reached", () => Promise.reject(new Error("offline")), /connect to the network/],
])("A file that %s is refused with a plain sentence.", async (_, get, message) => {
  const folder = await newFolder();
  await expect(fetchPinned(FILES, { folder, fetch: get })).rejects.toThrow(message);
});
