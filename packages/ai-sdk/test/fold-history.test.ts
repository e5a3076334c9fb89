import { describe, expect, it } from "vitest";
import { foldHistory } from "../src/fold-history.ts";

const USER = { role: "user", content: "hi" };

function call(toolCallId: string, root?: string) {
  const providerOptions = root === undefined ? undefined : { toolrail: { root, depth: 1 } };
  const part = { type: "tool-call", toolCallId, toolName: toolCallId, input: {} };
  return { ...part, ...(providerOptions && { providerOptions }) };
}
const says = (...content: object[]) => ({ role: "assistant", content });
const answers = (toolCallId: string, output: object) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: toolCallId, output }],
});
const text = (value: string) => ({ type: "text", value });

describe("foldHistory", () => {
  it("gives the same array back where there is no hop", () => {
    const messages = [USER, says(call("a")), answers("a", text("1"))];
    expect(foldHistory(messages)).toBe(messages);
    expect(foldHistory([])).toEqual([]);
  });

  it("changes nothing in what it has folded, and nothing in its input", () => {
    const messages = [
      USER,
      says(call("a")),
      answers("a", text("1")),
      says(call("h", "a")),
      answers("h", text("2")),
    ];
    const before = structuredClone(messages);
    const folded = foldHistory(messages);
    expect(folded).toEqual([USER, says(call("a")), answers("a", text("1\n2"))]);
    expect(folded[0]).toBe(USER);
    expect(foldHistory(folded)).toBe(folded);
    expect(messages).toEqual(before);
  });

  it("credits hops to the latest call of that id", () => {
    const turn = (value: string) => [
      says(call("a")),
      answers("a", text(value)),
      says(call(`h${value}`, "a")),
      answers(`h${value}`, text(`${value} more`)),
    ];
    expect(foldHistory([...turn("1"), USER, ...turn("2")])).toEqual([
      says(call("a")),
      answers("a", text("1\n1 more")),
      USER,
      says(call("a")),
      answers("a", text("2\n2 more")),
    ]);
  });

  it("leaves a hop where its origin was cut from the history", () => {
    const messages = [USER, says(call("h", "a")), answers("h", text("2"))];
    expect(foldHistory(messages)).toBe(messages);
  });

  it("keeps media as media", () => {
    const image = { type: "image-data", data: "AAAA", mediaType: "image/png" };
    const content = { type: "content", value: [{ type: "text", text: "see" }, image] };
    const messages = [
      says(call("a")),
      answers("a", text("1")),
      says(call("h", "a")),
      answers("h", content),
    ];
    expect(foldHistory(messages)).toEqual([
      says(call("a")),
      answers("a", {
        type: "content",
        value: [{ type: "text", text: "1" }, { type: "text", text: "see" }, image],
      }),
    ]);
  });

  it("takes out the approvals of hops, and keeps those of other calls", () => {
    const asks = (approvalId: string, toolCallId: string) => ({
      type: "tool-approval-request",
      approvalId,
      toolCallId,
    });
    const grants = (approvalId: string) => ({
      type: "tool-approval-response",
      approvalId,
      approved: true,
    });
    const messages = [
      says(call("a"), asks("1", "a")),
      { role: "tool", content: [grants("1")] },
      answers("a", text("1")),
      says(call("h", "a"), asks("2", "h")),
      { role: "tool", content: [grants("2")] },
      answers("h", text("2")),
    ];
    expect(foldHistory(messages)).toEqual([
      says(call("a"), asks("1", "a")),
      { role: "tool", content: [grants("1")] },
      answers("a", text("1\n2")),
    ]);
  });

  it("keeps what a message holds beside a hop", () => {
    const beside = { type: "text", text: "beside" };
    const messages = [says(call("a")), answers("a", text("1")), says(beside, call("h", "a"))];
    expect(foldHistory(messages)).toEqual([says(call("a")), answers("a", text("1")), says(beside)]);
  });

  it("survives parts without ids and messages of other shapes", () => {
    const odd = says({ type: "text", text: "kept" }, { ...call("x", "a"), toolCallId: undefined });
    const messages = [null, "text", says(call("a")), answers("a", text("1")), odd];
    expect(foldHistory(messages)).toBe(messages);
  });
});
