import type { JsonObject } from "@toolrail/core/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNextTool } from "../../src/chain/next-tool.ts";

const KEYS = ["nextTool", "openai/nextTool"];

function read(meta: JsonObject | undefined, keys: readonly string[] = KEYS) {
  return readNextTool({ content: [], ...(meta && { _meta: meta }) }, keys);
}

describe("readNextTool", () => {
  it.each([[undefined], [{}], [{ nextTool: null }], [{ other: { tool: "b" } }]])(
    "finds none in %o",
    (meta) => {
      expect(read(meta)).toBeUndefined();
    },
  );

  it("reads tool and arguments", () => {
    expect(read({ nextTool: { tool: "b", arguments: { n: 1 } } })).toEqual({
      tool: "b",
      arguments: { n: 1 },
    });
  });

  it("takes missing arguments for {}", () => {
    expect(read({ nextTool: { tool: "b" } })).toMatchObject({ arguments: {} });
  });

  it("accepts name for tool, and both if they agree", () => {
    const next = { tool: "b", arguments: {} };
    expect(read({ nextTool: { name: "b" } })).toEqual(next);
    expect(read({ nextTool: { name: "b", tool: "b" } })).toEqual(next);
  });

  it("names the key and what is wrong with it", () => {
    const verdict = read({ "openai/nextTool": { tool: "b", arguments: "{}" } });
    expect(verdict).toBe(
      '_meta["openai/nextTool"] must be an object { tool, arguments? }: arguments must be an object',
    );
  });

  it("takes keys that agree for one, whatever the order in their arguments", () => {
    const meta = {
      nextTool: { tool: "b", arguments: { x: 1, y: 2 } },
      "openai/nextTool": { name: "b", arguments: { y: 2, x: 1 } },
    };
    expect(read(meta)).toEqual({ tool: "b", arguments: { x: 1, y: 2 } });
  });

  it("refuses keys that differ in the arguments alone", () => {
    const meta = {
      nextTool: { tool: "b", arguments: { x: 1 } },
      "openai/nextTool": { tool: "b", arguments: { x: 2 } },
    };
    expect(read(meta)).toMatch(/name different calls/);
  });

  it("reads no inherited key", () => {
    const meta = Object.create({ nextTool: { tool: "b" } });
    expect(read(meta)).toBeUndefined();
    expect(read({}, ["constructor", "toString"])).toBeUndefined();
  });

  it("never throws, and names a call only for a non-empty name and an object", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (nextTool) => {
        const next = read({ nextTool });
        if (next === undefined || typeof next === "string") return;
        expect(next.tool).not.toBe("");
        expect(typeof next.arguments).toBe("object");
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
        expect(read({ nextTool })).toMatchObject({ tool: nextTool.tool });
      }),
    );
  });
});
