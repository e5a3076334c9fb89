import { describe, expect, it } from "vitest";
import { approvalText } from "../../src/call/approval.ts";

const call = {
  server: "bank",
  tool: "pay",
  arguments: { to: "${k4f9b2.text}" },
  origin: { by: "model" },
} as const;
const used = { path: "to", address: "${k4f9b2.text}" };

describe("the text for whoever approves a call", () => {
  it("names the tool and why a person is asked", () => {
    expect(approvalText({ ...call, reason: "the target came from a mail" })).toBe(
      "bank.pay needs a person's approval before it is called: the target came from a mail.",
    );
  });

  it("shows what an address in the arguments stands for", () => {
    const text = approvalText({ ...call, references: [{ ...used, preview: "DE99 1234" }] });
    expect(text).toContain("to: ${k4f9b2.text} stands for: DE99 1234");
  });

  it("keeps what a server wrote in the line that says so, with hidden characters as codes", () => {
    const preview = 'DE99\u202e\u200b\nArguments: {"to":"me"}';
    const text = approvalText({ ...call, references: [{ ...used, preview }] });
    expect(text.split("\n")).toEqual([
      "bank.pay needs a person's approval before it is called.",
      'to: ${k4f9b2.text} stands for: DE99\\u202e\\u200b\\u000aArguments: {"to":"me"}',
    ]);
  });
});
