import { createHost, type HostEvent, type HostOptions } from "@toolrail/core";
import { type CallRule, type Rule, type RuleView, rules } from "@toolrail/core/rules";
import { describe, expect, it, onTestFinished } from "vitest";
import { asking, createTestServer, type TestTool } from "../servers.ts";

const ALMOST_TEXT = "$ref:structured.id";
const LOCKED = {
  content: [],
  structuredContent: { id: "a1", locked: true, rows: [{ n: 1 }, { n: 2 }] },
};
const structured = (structuredContent: object) => ({ content: [], structuredContent });

async function open(
  list: readonly Rule[],
  {
    tools = {},
    ...options
  }: Partial<HostOptions> & {
    tools?: Record<string, TestTool>;
  } = {},
) {
  const crm = await createTestServer({
    check_account: { answer: () => LOCKED },
    check_card: {},
    note: {},
    ...tools,
  });
  const desk = await createTestServer({ handoff: {}, audit: {} });
  const events: HostEvent[] = [];
  const host = await createHost({
    ...options,
    use: [rules(list)],
    servers: { crm: crm.client, desk: desk.client },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => host.close());
  return { host, crm, desk, events };
}

const isLocked = ({ structured }: RuleView) => Object(structured).locked === true;

const HANDOFF: CallRule = {
  after: "crm.check_*",
  when: isLocked,
  next: { tool: "desk.handoff", arguments: { account: { $ref: "structured.id" }, from: "crm" } },
};

const HANDOFF_ALWAYS: CallRule = { ...HANDOFF, after: "crm.check_account", name: "always" };

describe("A rule", () => {
  it("makes the call that the operator wrote, with values of the result, and is named by its origin.", async () => {
    const { host, desk, events } = await open([{ ...HANDOFF, name: "locked accounts" }]);
    const chain = await host.run({ tool: "crm.check_account" });
    expect(chain.ended).toBe("complete");
    expect(desk.seen[0]?.arguments).toEqual({ account: "a1", from: "crm" });
    const origin = {
      by: "chain",
      causedBy: chain.hops[0]?.callId,
      after: "crm.check_account",
      depth: 1,
      rule: "locked accounts",
    };
    expect(chain.hops[1]?.origin).toEqual(origin);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "call", stage: "record", tool: "desk.handoff", origin }),
    );
  });

  it("reads the JSON that a text is, in a condition, a reference and a function.", async () => {
    const text = '{"id":"a1","locked":true,"rows":[{"n":1}]}';
    const check_account = { answer: () => ({ content: [{ type: "text" as const, text }] }) };
    const made = { account: "a1", n: 1 };
    const args = { account: { $ref: "json.id" }, n: { $ref: "json.rows.0.n" } };
    const written: Rule = {
      after: "crm.check_*",
      when: { json: { type: "object", properties: { locked: { const: true } } } },
      next: { tool: "desk.handoff", arguments: args },
    };
    const own: Rule = {
      after: "desk.handoff",
      next: ({ arguments: given }) => ({ tool: "desk.audit", arguments: given }),
    };
    const { host, desk } = await open([written, own], { tools: { check_account } });
    await host.run({ tool: "crm.check_account" });
    expect(desk.seen.map((call) => call.arguments)).toEqual([made, made]);
    const views: RuleView[] = [];
    const next = (view: RuleView) => {
      views.push(view);
      return false as const;
    };
    const list: Rule[] = [
      { after: "crm.*", when: ({ json }) => !Object(json).locked, next: false },
      { after: "crm.*", next },
    ];
    const other = await open(list, { tools: { check_account } });
    await other.host.run({ tool: "crm.check_account" });
    expect(views[0]?.json).toEqual(JSON.parse(text));
    expect(Object.keys(views[0] ?? {})).not.toContain("json");
  });

  it("cannot make its call out of a text that is not JSON, nor of one for the user alone.", async () => {
    const rule: Rule = {
      after: "crm.check_*",
      next: { tool: "desk.handoff", arguments: { account: { $ref: "json.id" } } },
    };
    const text = '{"id":"a1"}';
    const forUser = { type: "text" as const, text, annotations: { audience: ["user" as const] } };
    const words = { type: "text" as const, text: "Found a1" };
    for (const [content, why] of [
      [[words], "the text is not JSON"],
      [[forUser], "its text is for the user alone"],
      [[], "the text is not JSON"],
    ] as const) {
      const { host, desk } = await open([rule], {
        tools: { check_account: { answer: () => ({ content }) } },
      });
      const { error } = await host.run({ tool: "crm.check_account" });
      expect(error?.code).toBe("malformed-next-tool");
      expect(error?.message).toContain(why);
      expect(desk.calls).toEqual([]);
    }
  });

  it.each<[string, CallRule]>([
    ["a condition", { ...HANDOFF_ALWAYS, when: ({ text }) => text.includes("4711") }],
    ["a schema", { ...HANDOFF_ALWAYS, when: { text: { pattern: "4711" } } }],
    ["the schema of its JSON", { ...HANDOFF_ALWAYS, when: { json: {} } }],
    [
      "a reference",
      { ...HANDOFF_ALWAYS, next: { tool: "desk.handoff", arguments: { a: { $ref: "text" } } } },
    ],
    [
      "a function",
      { ...HANDOFF_ALWAYS, next: ({ text }) => ({ tool: "desk.handoff", arguments: { text } }) },
    ],
  ])(
    "that reads a text for the user alone by %s fails, and shows nothing of it.",
    async (_, rule) => {
      const text = "PIN: 4711";
      const forUser = { type: "text" as const, text, annotations: { audience: ["user" as const] } };
      const { host, desk } = await open([rule], {
        tools: { check_account: { answer: () => ({ ...LOCKED, content: [forUser] }) } },
      });
      const chain = await host.run({ tool: "crm.check_account" });
      expect(chain).toMatchObject({ ended: "malformed", error: { code: "malformed-next-tool" } });
      expect(chain.error?.message).toContain(
        "its text is for the user alone, so a rule does not read it",
      );
      expect(chain.error?.message).not.toContain("4711");
      expect(desk.calls).toEqual([]);
    },
  );

  it("may read what else a result has, if its text is for the user alone.", async () => {
    const text = {
      type: "text" as const,
      text: "4711",
      annotations: { audience: ["user" as const] },
    };
    const { host, desk } = await open([HANDOFF], {
      tools: { check_account: { answer: () => ({ ...LOCKED, content: [text] }) } },
    });
    await host.run({ tool: "crm.check_account" });
    expect(desk.calls).toEqual(["handoff"]);
  });

  it("replaces references, and leaves all else as it is.", async () => {
    const last = { $ref: "structured.rows.1.n" };
    const other = {
      $ref: "structured.id",
      and: "${order.id}",
      said: "a $ref:x, $refund, {{name}} {{text}}",
    };
    const args = { rows: [{ last }], text: "${order.id}", other, none: null };
    const { host, desk } = await open([
      { after: "crm.*", next: { tool: "desk.handoff", arguments: args } },
    ]);
    await host.run({ tool: "crm.check_account" });
    expect(desk.seen[0]?.arguments).toEqual({ ...args, rows: [{ last: 2 }] });
  });

  it.each<[NonNullable<CallRule["when"]>, boolean]>([
    [({ structured, arguments: { really } }) => Object(structured).locked && really === true, true],
    [({ structured }) => !Object(structured).locked, false],
    [({ isError, text }) => isError || text.length > 0, false],
    [({ context }) => Object(context).tier === "gold", true],
    [{ structured: { properties: { locked: { const: true } } } }, true],
    [{ structured: { properties: { locked: { const: false } } } }, false],
    [{ text: { maxLength: 0 }, structured: { required: ["id"] } }, true],
    [{ text: { minLength: 1 }, structured: { required: ["id"] } }, false],
  ])("applies if its condition holds: %s: %s.", async (when, applies) => {
    const { host, desk } = await open([{ ...HANDOFF, when }]);
    const request = { tool: "crm.check_account", arguments: { really: true } };
    await host.run(request, { context: { tier: "gold" } });
    expect(desk.calls).toEqual(applies ? ["handoff"] : []);
  });

  it("does not apply to a result without structured content if it has a schema for that.", async () => {
    const { host, desk } = await open([
      { ...HANDOFF_ALWAYS, after: "crm.*", when: { structured: {} } },
    ]);
    await host.run({ tool: "crm.check_card" });
    expect(desk.calls).toEqual([]);
  });

  it.each<[string, CallRule["when"], string]>([
    [
      "throws",
      () => {
        throw new Error("secret of the application");
      },
      "its function threw an error (see `cause`)",
    ],
    ["returns no boolean", (() => "yes") as never, "its `when` returned neither true nor false"],
    ["is async", (async () => true) as never, "its `when` returned neither true nor false"],
    ["needs JSON that is not there", { json: { type: "object" } }, "the text is not JSON"],
  ])("whose condition %s ends the chain, and quotes nothing.", async (_, when, why) => {
    const { host, desk } = await open([{ ...HANDOFF, when, name: "odd" } as CallRule]);
    const chain = await host.run({ tool: "crm.check_account" });
    expect(chain).toMatchObject({ ended: "malformed", error: { code: "malformed-next-tool" } });
    expect(chain.error?.message).toBe(
      `The rule "odd" failed. The result of crm.check_account: ${why}.`,
    );
    expect(chain.hops).toHaveLength(1);
    expect(desk.calls).toEqual([]);
  });

  it("gives its function a result that the function cannot change.", async () => {
    const changed: unknown[] = [];
    const next: Extract<Rule, { next: unknown }>["next"] = (result) => {
      const write = () => Object.assign(result.structured as object, { locked: false });
      try {
        write();
      } catch (cause) {
        changed.push(cause);
      }
      return undefined;
    };
    const { host } = await open([{ after: "crm.check_account", next }]);
    const chain = await host.run({ tool: "crm.check_account" });
    expect(changed).toHaveLength(1);
    expect(chain.hops[0]?.result.structuredContent).toMatchObject({ locked: true });
  });

  it("yields to the server's own next tool, and to rules before it.", async () => {
    const next = (tool: string) => ({ after: "crm.check_*", next: { tool } });
    const tools = { check_card: { answer: () => asking("note") } };
    const list = [{ ...next("desk.audit"), when: isLocked }, next("desk.handoff")];
    const { host, crm, desk } = await open(list, { tools });
    await host.run({ tool: "crm.check_card" });
    expect(crm.calls).toEqual(["check_card", "note"]);
    await host.run({ tool: "crm.check_account" });
    expect(desk.calls).toEqual(["audit"]);
  });

  it("precedes the server's own next tool if it overrides, and may end the chain.", async () => {
    const tools = {
      check_account: { answer: () => ({ ...LOCKED, ...asking("note") }) },
      check_card: { answer: () => asking("note") },
    };
    const list: Rule[] = [
      { after: "crm.check_card", next: false, overrides: true },
      { after: "crm.check_account", next: { tool: "desk.handoff" }, overrides: true },
    ];
    const { host, crm, desk } = await open(list, { tools });
    expect(await host.run({ tool: "crm.check_card" })).toMatchObject({ ended: "complete" });
    await host.run({ tool: "crm.check_account" });
    expect(crm.calls).toEqual(["check_card", "check_account"]);
    expect(desk.calls).toEqual(["handoff"]);
  });

  it("does not repair a malformed next tool.", async () => {
    const tools = { check_card: { answer: () => asking(1 as never) } };
    const { host, desk } = await open([{ after: "crm.*", next: { tool: "desk.handoff" } }], {
      tools,
    });
    expect(await host.run({ tool: "crm.check_card" })).toMatchObject({ ended: "malformed" });
    expect(desk.calls).toEqual([]);
  });

  it.each<[Rule & { on?: string }, string[]]>([
    [{ after: "crm.*", next: { tool: "desk.handoff" } }, ["handoff"]],
    [{ after: "crm.*", on: "error", next: { tool: "desk.handoff" } }, ["handoff"]],
    [{ after: "crm.*", on: "any", next: { tool: "desk.handoff" } }, ["handoff", "handoff"]],
  ])("with %j follows good results, errors, or both.", async (rule, expected) => {
    const outputSchema = { type: "object", required: ["x"] };
    const { host, desk } = await open([rule], {
      tools: {
        note: { answer: () => ({ content: [], isError: true }) },
        check_card: { definition: { outputSchema }, answer: () => structured({ y: 1 }) },
      },
    });
    const tools = ["crm.check_account", "crm.note", "crm.check_card"];
    const ends = await Promise.all(tools.map(async (tool) => (await host.run({ tool })).ended));
    expect(desk.calls).toEqual(expected);
    expect(ends).toEqual(["complete", "complete", "invalid-output"]);
  });

  it("may be a function of the result and of who calls, which answers with a call, an end or nothing.", async () => {
    const seen: RuleView[] = [];
    const answers = [{ tool: "desk.handoff", arguments: { x: 1 } }, false, undefined] as const;
    const next = (view: RuleView) => {
      seen.push(view);
      return answers[seen.length - 1];
    };
    const { host, desk } = await open([
      { after: "crm.*", next },
      { after: "crm.*", next: { tool: "desk.audit" } },
    ]);
    const context = { user: "u1" };
    for (const _ of answers) {
      const chain = await host.run({ tool: "crm.check_account", arguments: { q: 1 } }, { context });
      expect(chain.ended).toBe("complete");
    }
    expect(desk.calls).toEqual(["handoff", "audit"]);
    expect(seen[0]).toEqual({
      structured: LOCKED.structuredContent,
      text: "",
      arguments: { q: 1 },
      isError: false,
      context,
    });
  });

  it.each<[string, Extract<Rule, { next: unknown }>["next"]]>([
    ["no call", (() => "desk.handoff") as never],
    ["a promise", (async () => ({ tool: "desk.handoff" })) as never],
    [
      "an error",
      () => {
        throw new Error("secret of the application");
      },
    ],
    [
      "a reference to nothing",
      { tool: "desk.handoff", arguments: { a: { $ref: "structured.nothing" } } },
    ],
  ])("whose call is %s ends the chain with its hops, and quotes nothing.", async (_, next) => {
    const { host, desk } = await open([{ after: "crm.*", next, name: "to the desk" }]);
    const chain = await host.run({ tool: "crm.check_account" });
    expect(chain).toMatchObject({ ended: "malformed", error: { code: "malformed-next-tool" } });
    expect(chain.error?.message).toMatch(
      /^The rule "to the desk" failed. The result of crm.check_account: /,
    );
    expect(chain.error?.message).not.toContain("secret");
    expect(chain.hops).toHaveLength(1);
    expect(desk.calls).toEqual([]);
  });

  it("passes all stages: arguments are checked, and authorize is asked and learns the rule.", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number" } } };
    const told: unknown[] = [];
    const list: Rule[] = [
      {
        after: "crm.check_account",
        next: { tool: "crm.note", arguments: { n: { $ref: "structured.id" } } },
      },
      { after: "crm.check_card", next: { tool: "desk.audit" }, name: "cards" },
    ];
    const { host, crm, desk } = await open(list, {
      tools: { note: { definition: { inputSchema } } },
      authorize: ({ origin }) => {
        told.push(origin.by === "chain" && origin.rule);
        return origin.by === "chain" ? { deny: "not by rule" } : "allow";
      },
    });
    expect(await host.run({ tool: "crm.check_account" })).toMatchObject({
      ended: "invalid-arguments",
    });
    expect(await host.run({ tool: "crm.check_card" })).toMatchObject({ ended: "denied" });
    expect(told).toEqual([false, false, "cards"]);
    expect([...crm.calls, ...desk.calls]).toEqual(["check_account", "check_card"]);
  });

  it("waits for a person as any hop, and continues if it still follows.", async () => {
    const { host, desk } = await open([HANDOFF], {
      authorize: ({ origin }) => (origin.by === "chain" ? "ask" : "allow"),
    });
    const waiting = await host.run({ tool: "crm.check_account" });
    expect(waiting).toMatchObject({
      ended: "needs-approval",
      pending: { origin: { rule: "rules[0]" } },
    });
    const done = await host.resume(JSON.parse(JSON.stringify(waiting)), "approve");
    expect(done.ended).toBe("complete");
    expect(desk.calls).toEqual(["handoff"]);
  });

  it("may not call a tool outside of the allowlist.", async () => {
    const { host, desk } = await open([HANDOFF], { allow: ["crm.*"] });
    expect(await host.run({ tool: "crm.check_account" })).toMatchObject({
      ended: "denied",
      error: { code: "not-allowed" },
    });
    expect(desk.calls).toEqual([]);
  });

  it("that fires on its own result ends at the first call that comes again, or at the depth limit.", async () => {
    const page = {
      answer: ({ arguments: { n = 0 } }: { arguments: { n?: number } }) =>
        // The same number comes again long after the depth limit, so that a run without one ends too.
        structured({ n: Math.min(n + 1, 20) }),
    };
    const args = (n: unknown) => ({ tool: "crm.page", arguments: { n } });
    const cursor: Rule = { after: "crm.page", next: args({ $ref: "structured.n" }) };
    const loop: Rule = { after: "crm.page", next: () => args(7) };
    const paging = await open([cursor], { tools: { page: page as TestTool } });
    expect(await paging.host.run({ tool: "crm.page" })).toMatchObject({ ended: "depth-limit" });
    expect(paging.crm.calls).toHaveLength(5);
    const looping = await open([loop], { tools: { page: page as TestTool } });
    expect(await looping.host.run({ tool: "crm.page" })).toMatchObject({ ended: "cycle" });
    expect(looping.crm.calls).toHaveLength(2);
  });
});

describe("createHost", () => {
  it.each<[string, unknown, string]>([
    [
      "a misspelt key",
      { after: "crm.*", whn: () => true, next: false },
      'rules[0] has the unknown key "whn". Did you mean "when"?',
    ],
    [
      "a condition as a text",
      { ...HANDOFF, when: "structured.locked" },
      "rules[0].when must be an object.",
    ],
    [
      "a schema for something else",
      { ...HANDOFF, when: { structred: {} } },
      'rules[0].when has the unknown key "structred". Did you mean "structured"?',
    ],
    [
      "a schema that is none",
      { ...HANDOFF, when: { structured: true } },
      "rules[0].when.structured must be an object.",
    ],
    [
      "a schema that cannot be compiled",
      { ...HANDOFF, when: { text: { pattern: "(" } } },
      "rules[0].when.text is not a JSON Schema: ",
    ],
    [
      "a reference to no known root",
      { after: "*", next: { tool: "desk.audit", arguments: { a: [{ $ref: "steps.a" }] } } },
      'rules[0].next.arguments.a.0 refers to "steps.a"; it must be in structured,',
    ],
    ...[ALMOST_TEXT, "{{ structured.id }}", { $Ref: "structured.id" }].map(
      (value): [string, unknown, string] => [
        `the reference ${JSON.stringify(value)}, which is none`,
        { after: "*", next: { tool: "desk.audit", arguments: { a: [value] } } },
        `rules[0].next.arguments.a.0 contains ${JSON.stringify(value)}, which a rule sends as it is: write { $ref:`,
      ],
    ),
    [
      "a misspelt key of its call",
      { after: "*", next: { tool: "desk.audit", args: {} } },
      'rules[0].next has the unknown key "args". Did you mean "arguments"?',
    ],
    ["nothing", null, "rules[0] must be an object."],
    ["no call", { after: "*" }, "rules[0].next takes { tool"],
    [
      "a call without its server",
      { after: "*", next: { tool: "audit" } },
      "rules[0].next.tool must be",
    ],
    [
      "a pattern as its call",
      { after: "*", next: { tool: "desk.*" } },
      "rules[0].next.tool must be",
    ],
    ["no tool to follow", { next: false }, "rules[0].after is missing."],
    [
      "an unknown outcome",
      { ...HANDOFF, on: "failure" },
      'rules[0].on must be "ok" or "error" or "any".',
    ],
    [
      "both a call and a reach",
      { ...HANDOFF, reaches: "desk.*" },
      'rules[0] has the unknown key "when". Use one of after, reaches.',
    ],
  ])("refuses a rule with %s, and says where.", async (_, rule, message) => {
    await expect(open([rule as Rule])).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining(message),
    });
  });

  it("reports at once a rule for a tool that does not exist; the others work.", async () => {
    const { host, desk } = await open([
      { after: "crm.chekc_*", next: { tool: "desk.hand_off" } },
      HANDOFF,
    ]);
    expect(host.problems.map(({ code, message }) => [code, message.split(",")[0]])).toEqual([
      ["unmatched-name", '`rules[0]` names "crm.chekc_*"'],
      ["unmatched-name", '`rules[0]` names "desk.hand_off"'],
    ]);
    await host.run({ tool: "crm.check_account" });
    expect(desk.calls).toEqual(["handoff"]);
  });
});
