import { expect, it } from "vitest";
import { toContentBlocks } from "../src/content-blocks.ts";

it("keeps text as text", () => {
  expect(toContentBlocks([{ type: "text", text: "hello" }])).toEqual([
    { type: "text", text: "hello" },
  ]);
});

it("makes media blocks by their kind, with the data in a field of its own", () => {
  const media = [
    { type: "image", data: "aW1n", mimeType: "image/png" },
    { type: "audio", data: "c25k", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a.mp4", blob: "dmlk", mimeType: "video/mp4" } },
    {
      type: "resource",
      resource: { uri: "file:///a.pdf", blob: "cGRm", mimeType: "application/pdf" },
    },
  ];
  expect(toContentBlocks([{ type: "text", text: "see" }, ...media])).toEqual([
    { type: "text", text: "see" },
    { type: "image", data: "aW1n", mimeType: "image/png" },
    { type: "audio", data: "c25k", mimeType: "audio/wav" },
    { type: "video", data: "dmlk", mimeType: "video/mp4" },
    { type: "file", data: "cGRm", mimeType: "application/pdf" },
  ]);
});

it("names media that come without any text", () => {
  const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
  expect(toContentBlocks([image, image])).toEqual([
    { type: "text", text: "(image/png, image/png)" },
    image,
    image,
  ]);
});

it("shows the text of a text resource", () => {
  expect(toContentBlocks([{ type: "resource", resource: { uri: "a:b", text: "words" } }])).toEqual([
    { type: "text", text: "words" },
  ]);
});

it("names a link in text and passes no URL on", () => {
  const link = {
    type: "resource_link",
    uri: "https://a.example/x",
    name: "x",
    description: "an x",
  };
  expect(toContentBlocks([link])).toEqual([
    { type: "text", text: "x <https://a.example/x> - an x" },
  ]);
});

it("says in a line what it has no block for, and what has no data", () => {
  const odd = [
    { type: "hologram" },
    { type: "image", mimeType: "image/png" },
    { type: "resource" },
  ];
  expect(toContentBlocks(odd).map((block) => ("text" in block ? block.text : ""))).toEqual([
    "(content of type hologram left out)",
    "(content of type image/png left out)",
    "(content of type application/octet-stream left out)",
  ]);
});

it("makes nothing of nothing", () => {
  expect(toContentBlocks([])).toEqual([]);
});
