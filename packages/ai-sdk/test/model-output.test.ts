import type { ContentBlock } from "@toolrail/core";
import { expect, it } from "vitest";
import { toModelOutput } from "../src/tools/tool-output.ts";

const output = (content: readonly ContentBlock[], isError = false) => ({
  content,
  isError,
  hops: [],
});

it("Texts are joined by lines.", () => {
  const blocks = [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ];
  expect(toModelOutput(output(blocks), "tagged")).toEqual({ type: "text", value: "one\ntwo" });
});

it("No content is an empty text.", () => {
  expect(toModelOutput(output([]), "tagged")).toEqual({ type: "text", value: "" });
});

it("Content of an unknown type or without its data is named.", () => {
  const blocks = [{ type: "new-kind", data: "AAAA" }, { type: "image" }, { type: "resource" }];
  expect(toModelOutput(output(blocks), "by-kind")).toEqual({
    type: "text",
    value:
      "(content of type new-kind left out)\n" +
      "(content of type application/octet-stream left out)\n" +
      "(content of type application/octet-stream left out)",
  });
});

it("Media in an error are named, since the SDK gives an error as text alone.", () => {
  const blocks = [
    { type: "text", text: "failed" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ];
  expect(toModelOutput(output(blocks, true), "tagged")).toEqual({
    type: "error-text",
    value: "failed\n(content of type image/png left out)",
  });
});
