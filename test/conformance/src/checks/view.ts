import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { contains, ended, lacks } from "../assertions.ts";
import { type ModelPart, modelNameOf } from "../harness.ts";
import type { Check, Checks } from "../scenario.ts";
import { asking, readText } from "./results.ts";

function text(value: string, audience?: readonly string[]) {
  return { type: "text", text: value, ...(audience && { annotations: { audience } }) };
}

function part(value: string): ModelPart {
  return { type: "text", text: value };
}

/** Calls a tool that answers with a given result. */
async function answering([run, open]: Parameters<Check<"chain">>, result: object) {
  const { host } = await open({ bank: { a: { answer: () => result } } });
  return run({ host, tool: "bank.a" });
}

/** Checks of the parts of a result that reach a model. */
export const viewChecks = {
  "view/meta": async (run, open) => {
    const secret = { trace: "hush" };
    const outcome = await answering([run, open], {
      content: [{ ...text("hello"), _meta: secret }],
      structuredContent: { n: 1 },
      _meta: secret,
    });
    contains(readText(outcome), "hello");
    lacks(JSON.stringify(outcome.modelRead), "hush");
  },

  "view/audience": async (run, open) => {
    const outcome = await answering([run, open], {
      content: [
        text("for all"),
        text("for the user", ["user"]),
        text("for the model", ["assistant"]),
        text("for both", ["user", "assistant"]),
        text("for nobody", []),
      ],
    });
    equal(readText(outcome), "for all\nfor the model\nfor both");
  },

  "view/user-only": async (run, open) => {
    const outcome = await answering([run, open], { content: [text("your PIN is 1234", ["user"])] });
    deepEqual(outcome.modelRead, [part("The result was shown to the user.")]);
    equal(outcome.isError, false);
  },

  "view/unheard": async (run, open) => {
    const { host } = await open({
      bank: {
        a: { answer: () => ({ ...asking("b"), content: [text("locked", ["user"])] }) },
        b: { answer: () => ({ content: [text("ticket 7", ["user"])] }) },
      },
    });
    const read = readText(await run({ host, tool: "bank.a", unheard: true }));
    contains(read, "The result is for the user alone.");
    doesNotMatch(read, /shown|locked|ticket/);
  },

  "view/chain-user-only": async (run, open) => {
    const { host } = await open({
      bank: {
        a: { answer: () => ({ ...asking("b"), content: [text("locked", ["user"])] }) },
        b: { answer: () => ({ content: [text("ticket 7"), text("call us", ["user"])] }) },
      },
    });
    const outcome = await run({ host, tool: "bank.a" });
    contains(readText(outcome), "ticket 7");
    doesNotMatch(readText(outcome), /locked|call us/);
  },

  "view/labelled": async (run, open) => {
    const { host } = await open({
      bank: {
        a: { answer: () => ({ ...asking("b"), content: [text("order 7")] }) },
        b: { answer: () => ({ ...asking("c"), content: [text("your PIN is 1234", ["user"])] }) },
        c: { answer: () => ({ content: [text("ticket 9")] }) },
      },
    });
    const [a, b, c] = ["bank.a", "bank.b", "bank.c"].map((tool) => modelNameOf(host, tool));
    const outcome = await run({ host, tool: "bank.a" });
    const labelled = [
      `${a}:\norder 7`,
      `Then ${b} was called:\nThe result was shown to the user.`,
      `Then ${c} was called:\nticket 9`,
    ].join("\n");
    contains(readText(outcome), labelled);
    const alone = await run({ host, tool: "bank.c" });
    equal(readText(alone), "ticket 9");
  },

  "view/labelled-made": async (run, open) => {
    const { host } = await open(
      { bank: { a: { answer: () => ({ ...asking("b"), content: [text("order 7")] }) }, b: {} } },
      { allow: ["bank.a"] },
    );
    const outcome = await run({ host, tool: "bank.a" });
    ended(outcome, "denied");
    contains(readText(outcome), "order 7");
    doesNotMatch(readText(outcome), /Then|was called/);
  },

  "view/structured": async (run, open) => {
    const outcome = await answering([run, open], {
      content: [text("two apples")],
      structuredContent: { apples: 2 },
    });
    equal(readText(outcome), 'two apples\n{"apples":2}');
  },

  "view/structured-once": async (run, open) => {
    const json = '{\n  "apples": 2, "pears": 1\n}';
    const outcome = await answering([run, open], {
      content: [text(json)],
      structuredContent: { pears: 1, apples: 2 },
    });
    deepEqual(outcome.modelRead, [part('{"apples":2,"pears":1}')]);
  },

  "view/wrapped-once": async (run, open) => {
    const words = "Two apples [and a pear]\n";
    const image = { type: "image", data: "aW1n", mimeType: "image/png" };
    for (const value of [{ content: words }, { result: words }, { content: [text(words)] }]) {
      const result = { content: [text(words)], structuredContent: value };
      deepEqual((await answering([run, open], result)).modelRead, [part(words)]);
    }
    const mirror = { content: [image], structuredContent: { content: [image] } };
    lacks(JSON.stringify((await answering([run, open], mirror)).modelRead), image.data);
  },

  "view/structured-user": async (run, open) => {
    const outcome = await answering([run, open], {
      content: [text("for you", ["user"])],
      structuredContent: { pin: 1234 },
    });
    lacks(readText(outcome), "1234");
  },

  "view/structured-any": async (run, open) => {
    for (const value of [0, false, null, [], ""]) {
      const outcome = await answering([run, open], { content: [], structuredContent: value });
      deepEqual(outcome.modelRead, [part(JSON.stringify(value))]);
    }
  },

  "view/is-error": async (run, open) => {
    const outcome = await answering([run, open], {
      content: [text("too little money")],
      structuredContent: { missing: 12 },
      isError: true,
    });
    equal(outcome.isError, true);
    contains(readText(outcome), "too little money");
    contains(readText(outcome), '{"missing":12}');
  },

  "view/widget": async (run, open) => {
    const ui = { resourceUri: "ui://shop/picker" };
    const answer = { content: [], _meta: { "shop/widget": "picker" } };
    for (const [result, _meta] of [
      [answer, {}],
      [{ content: [] }, { ui }],
      [{ content: [] }, { "openai/outputTemplate": ui.resourceUri }],
    ] as const) {
      const a = { definition: { _meta }, answer: () => result };
      const { host } = await open({ bank: { a } });
      const outcome = await run({ host, tool: "bank.a" });
      equal(outcome.isError, false);
      deepEqual(outcome.hops[0]?.result, result);
      deepEqual(outcome.modelRead, [part("The result was shown to the user.")]);
    }
  },

  "view/empty": async (run, open) => {
    const result = { content: [], _meta: { requestId: "r-1" } };
    const outcome = await answering([run, open], result);
    deepEqual(outcome.modelRead, [part("The tool answered without content.")]);
  },

  "view/undecodable": async (run, open) => {
    const mimeType = "image/png";
    const outcome = await answering([run, open], {
      content: [
        { type: "image", data: "!!", mimeType },
        { type: "audio", data: "!!", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///a", blob: "!!", mimeType } },
      ],
    });
    equal(readText(outcome).match(/cannot be decoded/g)?.length, 3);
    equal(outcome.isError, false);
  },

  "view/media": async (run, open) => {
    const data = "aGVsbG8gdGhlcmUsIGhlbGxvIHRoZXJl";
    const outcome = await answering([run, open], {
      content: [text("a picture"), { type: "image", data, mimeType: "image/png" }],
    });
    deepEqual(outcome.modelRead, [part("a picture"), { type: "media", mediaType: "image/png" }]);
    lacks(readText(outcome), data);
  },
} satisfies Checks<"chain">;
