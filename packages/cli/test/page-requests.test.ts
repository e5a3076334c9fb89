import { describe, expect, it } from "vitest";
import { ASKING, REVISIONS, readAnswer, typing } from "./on-terminal.ts";

const VISIT = ["call", "visit", ...ASKING];

describe.each(REVISIONS)("a server that sends the user to a page on $revision", ({ more }) => {
  it("Learns after Enter that the person has been there, and its address and message are shown without what would rewrite the terminal.", async () => {
    const { code, seen, document } = await typing([""], [...VISIT, ...more]);
    expect(code).toBe(0);
    expect(readAnswer(document)).toEqual({ action: "accept" });
    const lines = [
      'Server "bank" asks you:',
      "  Confirm\\u001b[2J \\u202eit.",
      "It sends you to a page of https://xn--bnk-6cd.example:",
      "  https://xn--bnk-6cd.example/pay%1B[2J%E2%80%AEgnp?to=%07me#%E2%81%A6",
      "Open it yourself. Done? [Y/n] ",
    ];
    expect(seen).toContain(lines.join("\n"));
    for (const hidden of ["\u001b[2J", "\u0007", "\u202e", "\u2066"]) {
      expect(seen).not.toContain(hidden);
    }
  });

  it("Learns after y that the person has been there, and after n that they decline.", async () => {
    const [yes, no] = await Promise.all(
      ["y", "n"].map((line) => typing([line], [...VISIT, ...more])),
    );
    expect(readAnswer(yes?.document)).toEqual({ action: "accept" });
    expect(readAnswer(no?.document)).toEqual({ action: "decline" });
  });
});
