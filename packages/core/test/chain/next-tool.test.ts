import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNextTool } from "../../src/chain/next-tool.ts";
import type { JsonObject } from "../../src/index.ts";

const KEYS = ["nextTool", "openai/nextTool"];

function read(meta: JsonObject | undefined, keys: readonly string[] = KEYS) {
  return readNextTool({ content: [], ...(meta && { _meta: meta }) }, keys);
}

describe("readNextTool", () => {
  it.each([[undefined], [{}], [{ nextTool: null }], [{ other: { tool: "b" } }]])(
    "finds none in %o",
    (meta) => {
      expect(read(meta)).toEqual({ type: "none" });
    },
  );

  it("reads tool and arguments", () => {
    expect(read({ nextTool: { tool: "b", arguments: { n: 1 } } })).toEqual({
      type: "next",
      next: { tool: "b", arguments: { n: 1 } },
    });
  });

  it("takes missing arguments for {}", () => {
    expect(read({ nextTool: { tool: "b" } })).toMatchObject({ next: { arguments: {} } });
  });

  it("accepts name for tool, and both where they agree", () => {
    const next = { type: "next", next: { tool: "b", arguments: {} } };
    expect(read({ nextTool: { name: "b" } })).toEqual(next);
    expect(read({ nextTool: { name: "b", tool: "b" } })).toEqual(next);
  });

  it("names the key and what is wrong with it", () => {
    const verdict = read({ "openai/nextTool": { tool: "b", arguments: "{}" } });
    expect(verdict).toEqual({
      type: "malformed",
      message: '_meta["openai/nextTool"] must have an object as its arguments',
    });
  });

  it("takes keys that agree for one, whatever the order in their arguments", () => {
    const meta = {
      nextTool: { tool: "b", arguments: { x: 1, y: 2 } },
      "openai/nextTool": { name: "b", arguments: { y: 2, x: 1 } },
    };
    expect(read(meta)).toMatchObject({ type: "next" });
  });

  it("refuses keys that differ in the arguments alone", () => {
    const meta = {
      nextTool: { tool: "b", arguments: { x: 1 } },
      "openai/nextTool": { tool: "b", arguments: { x: 2 } },
    };
    expect(read(meta)).toMatchObject({ type: "malformed" });
  });

  it("reads no inherited key", () => {
    const meta = Object.create({ nextTool: { tool: "b" } });
    expect(read(meta)).toEqual({ type: "none" });
    expect(read({}, ["constructor", "toString"])).toEqual({ type: "none" });
  });

  it("never throws, and answers next only for a non-empty name and an object", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (nextTool) => {
        const verdict = read({ nextTool });
        if (verdict.type !== "next") return;
        expect(verdict.next.tool).not.toBe("");
        expect(typeof verdict.next.arguments).toBe("object");
      }),
    );
  });

  it("accepts every well-formed call", () => {
    const call = fc.record(
      { tool: fc.string({ minLength: 1 }), arguments: fc.dictionary(fc.string(), fc.jsonValue()) },
      { requiredKeys: ["tool"] },
    );
    fc.assert(
      fc.property(call, (nextTool) => {
        expect(read({ nextTool })).toMatchObject({ type: "next", next: { tool: nextTool.tool } });
      }),
    );
  });
});
