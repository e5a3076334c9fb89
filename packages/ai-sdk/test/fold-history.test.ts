import { describe, expect, it } from "vitest";
import { foldHistory } from "../src/chain/fold-history.ts";

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
  it("A history without hops is given back as it is.", () => {
    const messages = [USER, says(call("a")), answers("a", text("1"))];
    expect(foldHistory(messages)).toBe(messages);
    expect(foldHistory([])).toEqual([]);
  });

  it("Folding twice changes nothing, and the input stays as it is.", () => {
    const messages = [
      USER,
      says(call("a")),
      answers("a", text("1")),
      says(call("h", "a")),
      answers("h", text("2")),
    ];
    const before = structuredClone(messages);
    const folded = foldHistory(messages);
    expect(folded).toEqual([USER, says(call("a")), answers("a", text("a:\n1\nh:\n2"))]);
    expect(folded[0]).toBe(USER);
    expect(foldHistory(folded)).toBe(folded);
    expect(messages).toEqual(before);
  });

  it("A hop belongs to the latest call of its first call's id.", () => {
    const turn = (value: string) => [
      says(call("a")),
      answers("a", text(value)),
      says(call(`h${value}`, "a")),
      answers(`h${value}`, text(`${value} more`)),
    ];
    expect(foldHistory([...turn("1"), USER, ...turn("2")])).toEqual([
      says(call("a")),
      answers("a", text("a:\n1\nh1:\n1 more")),
      USER,
      says(call("a")),
      answers("a", text("a:\n2\nh2:\n2 more")),
    ]);
  });

  it("A hop stays if its first call was cut from the history.", () => {
    const messages = [USER, says(call("h", "a")), answers("h", text("2"))];
    expect(foldHistory(messages)).toBe(messages);
  });

  it("Media stay media.", () => {
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
        value: [
          { type: "text", text: "a:" },
          { type: "text", text: "1" },
          { type: "text", text: "h:" },
          { type: "text", text: "see" },
          image,
        ],
      }),
    ]);
  });

  it("Approvals of hops go, and those of other calls stay.", () => {
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
      answers("a", text("a:\n1\nh:\n2")),
    ]);
  });

  it("What a message holds beside a hop stays.", () => {
    const beside = { type: "text", text: "beside" };
    const messages = [says(call("a")), answers("a", text("1")), says(beside, call("h", "a"))];
    expect(foldHistory(messages)).toEqual([says(call("a")), answers("a", text("1")), says(beside)]);
  });

  it("Parts without ids and messages of other shapes stay as they are.", () => {
    const odd = says({ type: "text", text: "kept" }, { ...call("x", "a"), toolCallId: undefined });
    const messages = [null, "text", says(call("a")), answers("a", text("1")), odd];
    expect(foldHistory(messages)).toBe(messages);
  });

  it("Each result of a chain follows the name of its tool, and only a call that was made counts as one.", () => {
    const fold = (output: object) => {
      const chain = [says(call("a")), answers("a", text("1")), says(call("h", "a"))];
      return foldHistory([...chain, answers("h", output)]).at(-1);
    };
    const mark = (made: boolean) => ({ providerOptions: { toolrail: { made } } });
    const made = fold({ ...text("2"), ...mark(true) });
    expect(made).toEqual(answers("a", text("a:\n1\nThen h was called:\n2")));
    const refused = fold({ ...text("h was refused."), ...mark(false) });
    expect(refused).toEqual(answers("a", text("1\nh was refused.")));
    const denied = fold({ type: "execution-denied" });
    const value = "1\nThe call of h was not approved.";
    expect(denied).toEqual(answers("a", { type: "error-text", value }));
  });
});
