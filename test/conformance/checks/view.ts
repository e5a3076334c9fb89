import { expect } from "vitest";
import { asking } from "../../../packages/core/test/servers.ts";
import type { Check, ModelPart } from "../harness.ts";
import { openScenario, readText } from "../scenario.ts";

function text(value: string, audience?: readonly string[]) {
  return { type: "text", text: value, ...(audience && { annotations: { audience } }) };
}

function part(value: string): ModelPart {
  return { type: "text", text: value };
}

/** A host with one tool, `bank.a`, that answers with that result. */
async function answering(result: object) {
  const { host } = await openScenario({ bank: { a: { answer: () => result } } });
  return { host, tool: "bank.a" };
}

/** What reaches a model of a result. */
export const viewChecks = {
  "view/meta": async (run) => {
    const secret = { trace: "hush" };
    const outcome = await run(
      await answering({
        content: [{ ...text("hello"), _meta: secret }],
        structuredContent: { n: 1 },
        _meta: secret,
      }),
    );
    expect(readText(outcome)).toContain("hello");
    expect(JSON.stringify(outcome.modelRead)).not.toContain("hush");
  },

  "view/audience": async (run) => {
    const outcome = await run(
      await answering({
        content: [
          text("for all"),
          text("for the user", ["user"]),
          text("for the model", ["assistant"]),
          text("for both", ["user", "assistant"]),
          text("for nobody", []),
        ],
      }),
    );
    expect(readText(outcome)).toBe("for all\nfor the model\nfor both");
  },

  "view/user-only": async (run) => {
    const outcome = await run(await answering({ content: [text("your PIN is 1234", ["user"])] }));
    expect(outcome.modelRead).toEqual([part("The result was shown to the user.")]);
    expect(outcome.isError).toBe(false);
  },

  "view/chain-user-only": async (run) => {
    const { host } = await openScenario({
      bank: {
        a: { answer: () => ({ ...asking("b"), content: [text("locked", ["user"])] }) },
        b: { answer: () => ({ content: [text("ticket 7"), text("call us", ["user"])] }) },
      },
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(readText(outcome)).toContain("ticket 7");
    expect(readText(outcome)).not.toMatch(/locked|call us/);
  },

  "view/structured": async (run) => {
    const outcome = await run(
      await answering({ content: [text("two apples")], structuredContent: { apples: 2 } }),
    );
    expect(readText(outcome)).toBe('two apples\n{"apples":2}');
  },

  "view/structured-once": async (run) => {
    const json = '{\n  "apples": 2\n}';
    const outcome = await run(
      await answering({ content: [text(json)], structuredContent: { apples: 2 } }),
    );
    expect(outcome.modelRead).toEqual([part(json)]);
  },

  "view/structured-user": async (run) => {
    const outcome = await run(
      await answering({ content: [text("for you", ["user"])], structuredContent: { pin: 1234 } }),
    );
    expect(readText(outcome)).not.toContain("1234");
  },

  "view/structured-any": async (run) => {
    for (const value of [0, false, null, [], ""]) {
      const outcome = await run(await answering({ content: [], structuredContent: value }));
      expect(outcome.modelRead).toEqual([part(JSON.stringify(value))]);
    }
  },

  "view/is-error": async (run) => {
    const outcome = await run(
      await answering({
        content: [text("too little money")],
        structuredContent: { missing: 12 },
        isError: true,
      }),
    );
    expect(outcome.isError).toBe(true);
    expect(readText(outcome)).toContain("too little money");
    expect(readText(outcome)).toContain('{"missing":12}');
  },

  "view/widget": async (run) => {
    const outcome = await run(await answering({ content: [], _meta: { widget: "picker" } }));
    expect(outcome.isError).toBe(false);
    expect(outcome.hops[0]?.result._meta).toEqual({ widget: "picker" });
    expect(outcome.modelRead).toEqual([part("The tool answered without content.")]);
  },

  "view/media": async (run) => {
    const data = "aGVsbG8gdGhlcmUsIGhlbGxvIHRoZXJl";
    const outcome = await run(
      await answering({
        content: [text("a picture"), { type: "image", data, mimeType: "image/png" }],
      }),
    );
    expect(outcome.modelRead).toEqual([
      part("a picture"),
      { type: "media", mediaType: "image/png" },
    ]);
    expect(readText(outcome)).not.toContain(data);
  },
} satisfies Record<string, Check<"chain">>;
