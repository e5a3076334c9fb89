import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../../packages/core/test/servers.ts";
import { runOnce } from "./runs.ts";

const DATA = "aGVsbG8gdGhlcmU=";

/** What the model reads of a tool that answers with these blocks. */
async function readContent(...content: object[]): Promise<unknown> {
  const { client } = await createTestServer({ a: { answer: () => ({ content }) } });
  return runOnce(await createHost({ servers: { bank: client } }), { tool: "a" });
}

const text = (words: string) => ({ type: "text", text: words });

describe("what a model reads of media", () => {
  it("A result with only text is one text.", async () => {
    expect(await readContent(text("one"), text("two"))).toBe("one\ntwo");
  });

  it.each(["png", "jpeg", "gif", "webp"])(
    "An image of type %s is the API's image, in its place.",
    async (kind) => {
      const image = { type: "image", data: DATA, mimeType: `image/${kind}` };
      expect(await readContent(text("before"), image, text("after"))).toEqual([
        { type: "input_text", text: "before" },
        { type: "input_image", image: `data:image/${kind};base64,${DATA}` },
        { type: "input_text", text: "after" },
      ]);
    },
  );

  it("An embedded PDF becomes a file of the API, next to its URI.", async () => {
    const resource = { uri: "file:///terms", blob: DATA, mimeType: "application/pdf" };
    expect(await readContent({ type: "resource", resource })).toEqual([
      { type: "input_text", text: "<file:///terms>" },
      { type: "input_file", file: `data:application/pdf;base64,${DATA}`, filename: "document.pdf" },
    ]);
  });

  it.each([
    ["image/svg+xml", DATA],
    ["audio/wav", DATA],
    ["application/zip", DATA],
  ])(
    "What the API would refuse is named and never written as text: %s, %j.",
    async (mimeType, data) => {
      const block = { type: mimeType.startsWith("audio") ? "audio" : "image", data, mimeType };
      expect(await readContent(block)).toBe(`(content of type ${mimeType} left out)`);
    },
  );

  it("A link is named, and not passed on as an address to fetch.", async () => {
    const link = { type: "resource_link", name: "terms", uri: "https://example.com/terms" };
    expect(await readContent(link)).toBe("terms <https://example.com/terms>");
  });

  it("Media of a failed tool follow the text that says so.", async () => {
    const image = { type: "image", data: DATA, mimeType: "image/png" };
    const { client } = await createTestServer({
      a: { answer: () => ({ content: [image], isError: true }) },
    });
    const host = await createHost({ servers: { bank: client } });
    expect(await runOnce(host, { tool: "a" })).toEqual([
      { type: "input_text", text: "Error:" },
      { type: "input_image", image: `data:image/png;base64,${DATA}` },
    ]);
  });
});
