import { expect, it } from "vitest";
import { partText, toModelParts } from "../../src/adapter.ts";
import type { ContentBlock } from "../../src/index.ts";

const text = (value: string) => ({ type: "text", text: value });

it("Text stays text, and a block whose text is null is empty text.", () => {
  const broken = { type: "text", text: null } as unknown as ContentBlock;
  expect(toModelParts([text("a"), broken])).toEqual([text("a"), text("")]);
});

it("Images and PDF files keep their data, and other media are named in a line.", () => {
  const blocks = [
    { type: "image", data: "aW1n", mimeType: "image/png" },
    { type: "audio", data: "c25k", mimeType: "audio/wav" },
    { type: "resource", resource: { blob: "dmlk", mimeType: "video/mp4" } },
    { type: "image", data: "c3Zn", mimeType: "image/svg+xml" },
    { type: "resource", resource: { blob: "Z3pp", mimeType: "application/gzip" } },
    { type: "resource", resource: { blob: "cGRm", mimeType: "application/pdf" } },
  ];
  expect(toModelParts(blocks)).toEqual([
    { type: "image", data: "aW1n", mimeType: "image/png" },
    text("(content of type audio/wav left out)"),
    text("(content of type video/mp4 left out)"),
    text("(content of type image/svg+xml left out)"),
    text("(content of type application/gzip left out)"),
    { type: "file", data: "cGRm", mimeType: "application/pdf" },
  ]);
});

it("Audio is named in a line, whatever type its server gives it.", () => {
  const blocks = [{ type: "audio", data: "c25k", mimeType: "image/png" }, { type: "audio" }];
  expect(toModelParts(blocks)).toEqual([
    text("(content of type audio left out)"),
    text("(content of type audio left out)"),
  ]);
});

it("An embedded resource says its URI before its text or its data.", () => {
  const words = { type: "resource", resource: { uri: "a:b", text: "words" } };
  const blob = { type: "resource", resource: { uri: "a:c", blob: "cGRm", mimeType: "image/png" } };
  expect(toModelParts([words, blob])).toEqual([
    text("<a:b>\nwords"),
    text("<a:c>"),
    { type: "image", data: "cGRm", mimeType: "image/png" },
  ]);
});

it("If the text of a resource is null, its blob is read.", () => {
  const resource = { uri: "a:b", text: null, blob: "cGRm" } as unknown as { blob: string };
  expect(toModelParts([{ type: "resource", resource }])).toEqual([
    text("<a:b>"),
    text("(content of type application/octet-stream left out)"),
  ]);
});

it("A link is named in text and never becomes a part that could be fetched.", () => {
  const link = {
    type: "resource_link",
    uri: "https://a.example/x",
    name: "x",
    description: "an x",
  };
  expect(toModelParts([link])).toEqual([text("x <https://a.example/x> - an x")]);
});

it("An unknown block and media without data are named in a line.", () => {
  const blocks = [
    { type: "hologram" },
    { type: "image", mimeType: "image/png" },
    { type: "resource" },
  ];
  expect(toModelParts(blocks)).toEqual([
    text("(content of type hologram left out)"),
    text("(content of type image/png left out)"),
    text("(content of type application/octet-stream left out)"),
  ]);
});

it.each(["!!", "", "Q", "QQ=Q", "=QQQ", "QUJDRA=", "aW1n!"])(
  "Media whose data is %j, which is not base64, are named in a line.",
  (data) => {
    const type = "(content of type image/png that cannot be decoded)";
    const block = { type: "image", data, mimeType: "image/png" };
    const resource = { uri: "a:b", blob: data, mimeType: "image/png" };
    expect(toModelParts([block, { type: "resource", resource }])).toEqual([
      text(type),
      text("<a:b>"),
      text(type),
    ]);
  },
);

it.each(["QQ==", "QQ", "QUJD\r\nQUJD\n", "_-__"])("Media whose data is %j keep it.", (data) => {
  const block = { type: "image", data, mimeType: "image/png" } as const;
  expect(toModelParts([block])).toEqual([block]);
});

it("A part as text never contains the data of media.", () => {
  const parts = toModelParts([text("a"), { type: "image", data: "aW1n", mimeType: "image/png" }]);
  expect(parts.map(partText)).toEqual(["a", "(content of type image/png left out)"]);
});

it("No content gives no parts.", () => {
  expect(toModelParts([])).toEqual([]);
});
