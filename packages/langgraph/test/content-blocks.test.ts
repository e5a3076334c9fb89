import { expect, it } from "vitest";
import { toMessageBlocks, toMessageContent } from "../src/tools/messages.ts";

const text = { type: "text", text: "see" } as const;
const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
const shown = { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } };
const pdf = { type: "resource", resource: { blob: "cGRm", mimeType: "application/pdf" } } as const;

it("Images that come without any text are named in a line.", () => {
  const line = { type: "text", text: "(image/png, image/png)" };
  expect(toMessageBlocks([image, image])).toEqual([line, shown, shown]);
});

it("Images beside a text are not named.", () => {
  expect(toMessageBlocks([text, image])).toEqual([text, shown]);
});

it("A file becomes a line.", () => {
  const line = { type: "text", text: "(content of type application/pdf left out)" };
  expect(toMessageBlocks([pdf])).toEqual([line]);
});

it("One text block alone is plain text.", () => {
  expect(toMessageContent([text])).toBe("see");
  expect(toMessageContent([text, text])).toEqual([text, text]);
});

it("No blocks make no content.", () => {
  expect(toMessageContent(toMessageBlocks([]))).toEqual([]);
});
