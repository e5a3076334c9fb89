import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Output } from "../src/run-toolrail.ts";
import {
  createStyle,
  formatDuration,
  oneLine,
  plainText,
  renderTree,
  renderViews,
} from "../src/terminal.ts";

/** Texts of any characters, every second one of those that scripts and controls are written with. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x20ff), fc.nat(0x10ffff)))
  .map((points) => String.fromCodePoint(...points));

const terminal = (): Output => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });

describe("createStyle", () => {
  it.each<[string, Output, NodeJS.ProcessEnv, boolean]>([
    ["colours on a terminal", terminal(), {}, true],
    ["none without a terminal", new PassThrough(), {}, false],
    [
      "none without a terminal, even where they are asked for",
      new PassThrough(),
      { FORCE_COLOR: "1" },
      false,
    ],
    ["none with NO_COLOR", terminal(), { NO_COLOR: "1" }, false],
    ["none on a dumb terminal", terminal(), { TERM: "dumb" }, false],
  ])("createStyle gives %s.", (_what, stream, env, coloured) => {
    const { colours } = createStyle(stream, env);
    expect(colours.isColorSupported).toBe(coloured);
    expect(colours.red("x") === "x").toBe(!coloured);
  });
});

describe("plainText", () => {
  it("plainText shows what would move the cursor, colour or turn the text as codes.", () => {
    expect(plainText("a\u001b[31mb\u001b[0m\rc\u0007\u202ed\n\te")).toBe(
      "a\\u001b[31mb\\u001b[0m\\u000dc\\u0007\\u202ed\n\te",
    );
  });

  it("plainText lets no control character through but tab and newline.", () => {
    void fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(text)).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it("plainText reads a long text of escape sequences without end in a moment.", () => {
    const startMs = performance.now();
    expect(plainText("\u001b]0;".repeat(300_000)).includes("\u001b")).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it("plainText fits a text into one line.", () => {
    expect(oneLine("a\n  b", 10)).toBe("a b");
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(oneLine("ab🙂def", 4)).toBe("ab🙂…");
    expect(oneLine("", 4)).toBe("");
  });
});

describe("renderTree", () => {
  it("renderTree draws what follows from what, with details in their place.", () => {
    const leaf = { label: "c", details: ["of c"] };
    const nodes = [
      { label: "a", details: ["1", "2\n3"], children: [{ label: "b", children: [leaf] }, leaf] },
    ];
    expect(renderTree(nodes, (text) => text)).toBe(`a
│  1
│  2
│  3
├─ b
│  └─ c
│        of c
└─ c
      of c`);
    expect(renderTree([], (text) => text)).toBe("");
  });

  it("renderTree keeps a label in its line.", () => {
    expect(renderTree([{ label: "a\n✔ b" }], (text) => text)).toBe("a\\n✔ b");
  });
});

describe("renderViews", () => {
  const style = createStyle(new PassThrough(), {});

  it("A view is a titled block, and says so if it is empty.", () => {
    const [model, user] = renderViews({ model: [{ type: "text", text: "a\nb" }], user: [] }, style);
    expect(model).toBe("The model reads\n  a\n  b");
    expect(user).toBe("The user is shown\n  nothing");
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [1_500, "1.5 s"],
    [125_000, "2 min 5 s"],
  ])("formatDuration says %d ms as %s.", (ms, text) => expect(formatDuration(ms)).toBe(text));
});
