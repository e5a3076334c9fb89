import { expect, it } from "vitest";
import { toContentBlocks, toMessageContent } from "../src/tools/content-blocks.ts";

const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;

it("Media that come without any text are named in a line.", () => {
  expect(toContentBlocks([image, image])).toEqual([
    { type: "text", text: "(image/png, image/png)" },
    image,
    image,
  ]);
});

it("Media beside a text are not named.", () => {
  const text = { type: "text", text: "see" };
  expect(toContentBlocks([text, image])).toEqual([text, image]);
});

it("One text block alone is plain text, and blocks with media say which form they have.", () => {
  expect(toMessageContent([{ type: "text", text: "a" }])).toEqual({ content: "a" });
  const blocks = [{ type: "text", text: "a" } as const, image];
  const response_metadata = { output_version: "v1" };
  expect(toMessageContent(blocks)).toEqual({ content: blocks, response_metadata });
});

it("No blocks make no content.", () => {
  expect(toMessageContent(toContentBlocks([]))).toEqual({ content: [] });
});
