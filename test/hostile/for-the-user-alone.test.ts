import { audience, createHost, type HostOptions } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { describe, expect, it } from "vitest";
import { createTestServer, type SeenCall } from "../../packages/core/test/servers.ts";
import { everyPath, everyPipe } from "./fixtures/every-path.ts";

const PIN = "4711";
const USER = { annotations: { audience: ["user"] } };
const text = (said: string, more = {}) => ({ type: "text", text: said, ...more });
/** The guard calls only what describes its output. */
const definition = { outputSchema: { type: "object" } };

const refuse = (said: string) => {
  throw Object.assign(new Error(said), { code: -32_603, data: said });
};

/** What a tool makes of the PIN that it was handed. */
const ANSWERS: [string, (said: string) => unknown][] = [
  ["a text", (said) => ({ content: [text(`You said ${said}.`)], structuredContent: {} })],
  ["data", (said) => ({ content: [], structuredContent: { said } })],
  [
    "a text for the model",
    (said) => ({
      content: [text(said, { annotations: { audience: ["assistant"] } })],
      structuredContent: {},
    }),
  ],
  [
    "a resource",
    (said) => ({
      content: [{ type: "resource", resource: { uri: `a:${said}`, text: said } }],
      structuredContent: {},
    }),
  ],
  ["an error", (said) => ({ content: [text(`${said} is wrong`)], isError: true })],
  ["data that break their schema", (said) => ({ content: [text(said)], structuredContent: said })],
  ["a result that is none", (said) => ({ content: said })],
  ["an error of the protocol", refuse],
];

interface Opening extends Omit<HostOptions, "servers"> {
  readonly answer: (said: string) => unknown;
  /** The next call that the result with the PIN asks for. */
  readonly next?: JsonObject;
  /** False if the server itself does not say for whom the PIN is. Default true. */
  readonly isMarked?: boolean;
}

async function open({ answer, next, isMarked = true, ...options }: Opening) {
  const saying = ({ arguments: args }: SeenCall) => answer(JSON.stringify(args));
  const pin = {
    content: [text(`Your PIN is ${PIN}`, isMarked ? USER : {})],
    structuredContent: { pin: PIN, lines: [{ part: `${PIN} as well` }] },
    ...(next && { _meta: { nextTool: { tool: "b", arguments: next } } }),
  };
  const server = await createTestServer({
    a: { definition, answer: () => pin },
    b: { definition, answer: saying },
  });
  const host = await createHost({ servers: { bank: server.client }, ...options });
  return { host, server };
}

const OPERATORS: [string, Pick<Opening, "use" | "isMarked">][] = [
  ["marked by its server", {}],
  [
    "marked by the operator",
    { isMarked: false, use: [audience({ tools: { "bank.a": ["user"] } })] },
  ],
];

describe.each(OPERATORS)("content for the user alone, %s", (_, options) => {
  describe.each(everyPath)("to a model that calls by $name", (path) => {
    it.each(ANSWERS)(
      "does not learn it by %s of a next call that received it",
      async (_name, answer) => {
        const { host } = await open({
          ...options,
          answer,
          next: { pin: PIN, note: `PIN: ${PIN}` },
        });
        expect(await path.call(host)).not.toContain(PIN);
      },
    );
  });

  const handing: [string, object[], object?][] = [
    ["a text", [{ id: "e", tool: "b", args: { v: "<${steps.g.structured.pin}>" } }]],
    ["a reference", [{ id: "e", tool: "b", args: { v: { $ref: "steps.g.structured" } } }]],
    ["all arguments", [{ id: "e", tool: "b", args: { $ref: "steps.g.structured" } }]],
    ["the last step", [{ id: "e", tool: "b", args: { v: { $ref: "last" } } }]],
    [
      "two calls",
      [
        { id: "d", tool: "b", args: { v: { $ref: "steps.g.structured.pin" } } },
        { id: "e", tool: "b", args: { v: { $ref: "steps.d" } } },
      ],
    ],
    [
      "vars of a nested pipe",
      [
        {
          id: "e",
          pipe: {
            vars: { p: { $ref: "steps.g.structured.pin" } },
            steps: [{ id: "i", tool: "b", args: { v: "${vars.p}" } }],
          },
        },
      ],
    ],
    [
      "a group",
      [{ id: "e", parallel: [{ id: "i", tool: "b", args: { v: "${steps.g.structured.pin}" } }] }],
    ],
  ];

  describe.each(everyPipe)("to a model whose pipe runs by $name", (pipe) => {
    it.each(ANSWERS)(
      "does not learn it by %s of a step that received it",
      async (_name, answer) => {
        const { host, server } = await open({ ...options, answer });
        const [, steps] = handing[0] ?? ["", []];
        const spec = { steps: [{ id: "g", tool: "a" }, ...steps], return: { $ref: "steps.e" } };
        expect(await pipe.run(host, spec)).not.toContain(PIN);
        expect(JSON.stringify(server.seen)).toContain(PIN);
      },
    );

    it.each(handing)(
      "does not learn it from a step that received it by %s",
      async (_name, steps) => {
        const { host, server } = await open({
          ...options,
          answer: (said) => ({ content: [text(said)], structuredContent: { said } }),
        });
        const spec = { steps: [{ id: "g", tool: "a" }, ...steps], return: { $ref: "steps" } };
        expect(await pipe.run(host, spec)).not.toContain(PIN);
        expect(JSON.stringify(server.seen)).toContain(PIN);
      },
    );
  });
});

describe.each(everyPipe)("a tool that releases it, in a pipe that runs by $name", (pipe) => {
  it("is read by the model", async () => {
    const answer = () => ({ content: [text("confirmed")], structuredContent: {} });
    const spec = {
      steps: [
        { id: "g", tool: "a" },
        { id: "e", tool: "b", args: { v: "${steps.g.structured.pin}" } },
      ],
      return: { $ref: "steps.e.text" },
    };
    const { host } = await open({ answer, use: [audience({ releases: ["bank.b"] })] });
    expect(await pipe.run(host, spec)).toContain("confirmed");
    const others = await open({ answer, use: [audience({ releases: ["bank.c*"] })] });
    expect(await pipe.run(others.host, spec)).not.toContain("confirmed");
  });
});

describe.each(everyPath)("an error of a tool for the user alone, by $name", (path) => {
  it("is not read by the model in the words of its server", async () => {
    const server = await createTestServer({
      a: { definition, answer: () => refuse(`PIN ${PIN}`) },
    });
    const host = await createHost({
      servers: { bank: server.client },
      use: [audience({ tools: { "bank.*": ["user"] } })],
    });
    expect(await path.call(host)).not.toContain(PIN);
    const { error } = await host.run({ tool: "a" });
    expect(error).toMatchObject({
      code: "protocol",
      cause: { message: expect.stringContaining(PIN) },
    });
  });
});
