import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/call/tool.ts";
import { parseAllowlist } from "../../src/guard/gate.ts";

function toolsOf(...ids: [server: string, name: string][]): Tool[] {
  return ids.map(([server, name]) => ({
    server,
    name,
    id: `${server}.${name}`,
    modelName: name,
    inputSchema: { type: "object" },
    forModel: true,
  }));
}

const DESK = toolsOf(["desk", "a"], ["desk", "b"]);

/** The entries that a list gives to tools, by their ids. */
function entries(allow: unknown, tools: readonly Tool[] = DESK) {
  const { entries } = parseAllowlist(allow).findEntries(tools);
  return Object.fromEntries([...entries].map(([{ id }, entry]) => [id, entry]));
}

describe("parseAllowlist", () => {
  it.each([
    ["undefined", undefined, "is missing"],
    ["null", null, "must be an object"],
    ["an empty list", [], "is empty"],
    ["an empty object", {}, "is empty"],
    ["a text", '["desk.a"]', "must be an object"],
    ["a number", 1, "must be an object"],
    ["a list with a number in it", ["desk.a", 1], "[1] must be a text"],
    ["a list with a blank name", ["desk.a", " "], "[1] must be the name of a tool"],
    ["an object with an unknown entry", { "desk.a": "yes" }, 'must be "allow" or "ask"'],
    ["a list with a bigint in it", [1n], "[0] must be a text"],
    ["an object with a bigint in it", { "desk.a": 1n }, 'must be "allow" or "ask"'],
    ["a list with a hole in it", new Array(1), "[0] is missing"],
    ["an object of lists", { desk: ["a"] }, 'must be "allow" or "ask"'],
  ])("denies every tool and says why when it is given %s", (_, allow, why) => {
    expect(parseAllowlist(allow).problem).toContain(why);
    expect(entries(allow)).toEqual({});
  });

  it("reads a list and an object", () => {
    for (const list of [["desk.a"], { "desk.a": "allow" }]) {
      expect(entries(list)).toEqual({ "desk.a": "allow" });
    }
  });

  it("lets an exact name beat a pattern", () => {
    expect(entries({ "*": "ask", "desk.a": "allow" })).toEqual({
      "desk.a": "allow",
      "desk.b": "ask",
    });
  });

  it("lets ask beat allow among patterns and among exact names", () => {
    expect(entries({ "desk.*": "allow", "*": "ask" })).toEqual({
      "desk.a": "ask",
      "desk.b": "ask",
    });
    expect(entries({ a: "ask", "desk.a": "allow" })).toEqual({ "desk.a": "ask" });
    expect(entries({ "desk.a": "ask", a: "allow" })).toEqual({ "desk.a": "ask" });
  });

  it.each([
    ["desk.*", ["desk.a", "desk.b"]],
    ["*.a", ["desk.a", "mail.a"]],
    ["d*k.*", ["desk.a", "desk.b"]],
    ["desk.a*", ["desk.a"]],
    ["shop.*", []],
  ])("allows with the pattern %s the tools that it fits and no other", (pattern, ids) => {
    const tools = toolsOf(["desk", "a"], ["desk", "b"], ["mail", "a"]);
    expect(Object.keys(entries([pattern], tools))).toEqual(ids);
  });

  it("reads a bare name as the one tool that has it", () => {
    expect(entries(["a", "gone"])).toEqual({ "desk.a": "allow" });
  });

  it("reads a bare name that two tools have as neither of them", () => {
    const shared = toolsOf(["desk", "a"], ["other", "a"]);
    expect(entries(["a"], shared)).toEqual({});
    expect(entries({ a: "ask", "*": "allow" }, shared)).toEqual({});
    expect(entries({ a: "ask", "desk.a": "allow" }, shared)).toEqual({ "desk.a": "allow" });
  });

  it("reads a name as an id before it reads it as a bare name", () => {
    expect(entries(["desk.b"], toolsOf(["desk", "b"], ["other", "desk.b"]))).toEqual({
      "desk.b": "allow",
    });
  });

  it("reads an id that two servers share as neither of their tools", () => {
    expect(entries(["a.b.c"], toolsOf(["a", "b.c"], ["a.b", "c"]))).toEqual({});
  });
});
