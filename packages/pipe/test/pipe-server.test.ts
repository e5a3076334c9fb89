import { describe, expect, it } from "vitest";
import {
  createHost,
  type Hop,
  type HostEvent,
  type HostOptions,
  type McpPort,
  modelView,
  userView,
} from "../../core/src/index.ts";
import { askingPort, PIN_FORM } from "../../core/test/call/asking-port.ts";
import { asking } from "../../core/test/servers.ts";
import { createSingleStep } from "../../guard/src/index.ts";
import { pipeServer, type ServedPipes } from "../src/index.ts";

const ID = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

/** Reads a ticket, and the document that belongs to it. */
const REPORT: ServedPipes = {
  report: {
    description: "Reads the ticket and its document.",
    inputSchema: { ...ID, additionalProperties: false },
    outputSchema: { type: "object", properties: { ticket: { type: "string" } } },
    spec: {
      vars: { id: "" },
      steps: [
        { id: "ticket", tool: "desk.read", args: { id: { $ref: "vars.id" } } },
        { id: "doc", tool: "desk.fetch" },
      ],
      return: { ticket: { $ref: "steps.ticket.structured.id" }, doc: { $ref: "steps.doc.text" } },
    },
  },
};

function one(tool: string): ServedPipes {
  return { p: { description: "One step.", spec: { steps: [{ id: "a", tool }] } } };
}

/** A host over a server `desk`, and over pipes of the operator as the server `pipe`. */
async function open(pipes: ServedPipes = REPORT, options: Partial<HostOptions> = {}) {
  const calls: string[] = [];
  const hops: Hop[] = [];
  const events: HostEvent[] = [];
  const text = (value: string, audience?: string[]) => {
    return { type: "text", text: value, ...(audience && { annotations: { audience } }) };
  };
  const answers: Record<string, (args: object, signal?: AbortSignal) => unknown> = {
    read: (args) => ({ ...asking("delete"), structuredContent: args }),
    fetch: () => ({ content: [text("a document")] }),
    delete: () => ({ content: [] }),
    fail: () => ({ content: [text("no luck")], isError: true }),
    pin: () => ({ content: [text("1234", ["user"])], structuredContent: { pin: "1234" } }),
    keep: (args) => ({ content: [], structuredContent: args }),
    hang: (_args, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      ),
  };
  const desk: McpPort = {
    list: async () => ({
      tools: Object.keys(answers).map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    async call({ name, arguments: args }, { signal }) {
      calls.push(name);
      return answers[name]?.(args, signal);
    },
  };
  const host = await createHost({
    servers: { desk, pipe: (target) => pipeServer(target, pipes) },
    use: [{ name: "listener", onHop: ({ hop }) => void hops.push(hop) }],
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { host, calls, hops, events };
}

describe("a pipe of the operator", () => {
  it("It is listed as a tool beside the others, with its description and what it takes.", async () => {
    const { host } = await open();
    expect(host.find("pipe.report")).toMatchObject({
      id: "pipe.report",
      modelName: "pipe_report",
      description: "Reads the ticket and its document.",
      inputSchema: ID,
      outputSchema: { type: "object" },
      forModel: true,
    });
    expect(host.problems).toEqual([]);
  });

  it("One call runs all steps, follows none of their next tools, and gives the whole result as _meta.", async () => {
    const { host, calls } = await open();
    const { result } = await host.call({ tool: "pipe.report", arguments: { id: "7" } });
    expect(result.structuredContent).toEqual({ ticket: "7", doc: "a document" });
    expect(result._meta).toMatchObject({ pipe: { ok: true, steps: { ticket: { ok: true } } } });
    expect(calls).toEqual(["read", "fetch"]);
  });

  it("Listeners receive the pipe and each step, and the events of a run belong together.", async () => {
    const { host, hops, events } = await open();
    await host.call({ tool: "pipe.report", arguments: { id: "7" } });
    expect(hops.map(({ server, tool }) => `${server}.${tool}`)).toEqual([
      "desk.read",
      "desk.fetch",
      "pipe.report",
    ]);
    expect(hops[0]?.origin).toMatchObject({ by: "pipe", path: "steps.ticket" });
    const recorded = events.filter((event) => event.type === "call" && event.stage === "record");
    expect(recorded).toHaveLength(3);
    expect(events.filter(({ type }) => type === "pipe")).toMatchObject([
      { stage: "started", steps: 2 },
      { stage: "ended", ok: true, calls: 2, runId: hops[0]?.runId },
    ]);
  });

  it.each([[{}], [{ id: 7 }], [{ id: "7", steps: [] }], [{ id: Number.NaN }]])(
    "The arguments %j are refused.",
    async (args) => {
      const { host, calls } = await open();
      const calling = host.call({ tool: "pipe.report", arguments: args });
      await expect(calling).rejects.toMatchObject({ code: "invalid-arguments" });
      expect(calls).toEqual([]);
    },
  );

  it("The limits of the host hold for its arguments and for those of each step.", async () => {
    const limits = { maxArgumentBytes: 50 };
    const { host, calls } = await open(REPORT, { limits });
    const calling = host.call({ tool: "pipe.report", arguments: { id: "x".repeat(5_000) } });
    await expect(calling).rejects.toMatchObject({ code: "invalid-arguments" });
    const args = { page: "x".repeat(100) };
    const wide: ServedPipes = {
      p: { description: "Wide.", spec: { steps: [{ id: "a", tool: "desk.fetch", args }] } },
    };
    const inner = await open(wide, { limits });
    expect((await inner.host.call({ tool: "pipe.p" })).result).toMatchObject({ isError: true });
    expect([...calls, ...inner.calls]).toEqual([]);
  });

  it("Authorize is asked once for the pipe and once for each step, and a denied pipe makes no call.", async () => {
    const asked: string[] = [];
    const authorize = ({ tool }: { tool: { id: string } }) => {
      asked.push(tool.id);
      return "allow" as const;
    };
    const allowed = await open(REPORT, { authorize });
    await allowed.host.call({ tool: "pipe.report", arguments: { id: "7" } });
    expect(asked).toEqual(["pipe.report", "desk.read", "desk.fetch"]);
    const denied = await open(REPORT, {
      authorize: ({ tool }) => (tool.server === "pipe" ? { deny: "not today" } : "allow"),
    });
    const calling = denied.host.call({ tool: "pipe.report", arguments: { id: "7" } });
    await expect(calling).rejects.toMatchObject({
      code: "denied",
      message: expect.stringMatching(/not today/),
    });
    expect(denied.calls).toEqual([]);
  });

  it("A step that is denied is an error of the pipe, which keeps the steps before it.", async () => {
    const { host, calls } = await open(REPORT, {
      authorize: ({ tool }) => (tool.name === "fetch" ? { deny: "not today" } : "allow"),
    });
    const { result } = await host.call({ tool: "pipe.report", arguments: { id: "7" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^steps\.doc: /) }],
    });
    expect(result._meta).toMatchObject({ pipe: { ok: false, steps: { ticket: { ok: true } } } });
    expect(calls).toEqual(["read"]);
  });

  it("A spec that cannot run is an error that says why, and makes no call.", async () => {
    const { host, calls } = await open(one("desk.gone"));
    const { result } = await host.call({ tool: "pipe.p" });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/There is no tool "desk/) }],
    });
    expect(calls).toEqual([]);
  });

  it("An argument that is no var of the spec is refused by name.", async () => {
    const lax = { p: { ...one("desk.fetch").p, inputSchema: { type: "object" } } } as ServedPipes;
    const { host, calls } = await open(lax);
    const { result } = await host.call({ tool: "pipe.p", arguments: { idd: 1 } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/vars\.idd: /) }],
    });
    expect(calls).toEqual([]);
  });

  it("An abort reaches the step that is running.", async () => {
    const { host, calls } = await open(one("desk.hang"));
    const aborter = new AbortController();
    const calling = host.call({ tool: "pipe.p" }, { signal: aborter.signal });
    await expect.poll(() => calls).toEqual(["hang"]);
    aborter.abort(new Error("enough"));
    await expect(calling).rejects.toMatchObject({ code: "aborted" });
  });

  it("A pipe has as long as one call of the host may take in all.", async () => {
    let now = 0;
    const { host, calls } = await open(REPORT, {
      limits: { callTotalTimeoutMs: 1_000 },
      clock: { now: () => now },
      use: [
        {
          name: "listener",
          onHop: () => {
            now += 1_000;
          },
        },
      ],
    });
    const { result } = await host.call({ tool: "pipe.report", arguments: { id: "7" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^steps\.doc: .*no time/) }],
    });
    expect(calls).toEqual(["read"]);
  });

  it("A pipe may call another, with the same checks; one that calls itself ends with an error.", async () => {
    const twice: ServedPipes = {
      ...REPORT,
      both: {
        description: "Two reports.",
        spec: {
          steps: ["1", "2"].map((id) => ({ id, tool: "pipe.report", args: { id } })),
          return: [{ $ref: "steps.1.structured.ticket" }, { $ref: "steps.2.structured.ticket" }],
        },
      },
    };
    const { host, hops } = await open(twice);
    const { result } = await host.call({ tool: "pipe.both" });
    expect(result.structuredContent).toEqual(["1", "2"]);
    expect(hops.filter(({ server }) => server === "pipe")).toHaveLength(3);
    const endless = await open({
      ...one("pipe.q"),
      q: { ...one("pipe.p").p, description: "Q." } as never,
    });
    const end = await endless.host.call({ tool: "pipe.p" });
    expect(end.result.isError).toBe(true);
    expect(end.result.content[0]?.text).toContain("Does one of them call itself?");
  });

  it("What a step answered for the user alone is shown to the user, and is a placeholder for the model.", async () => {
    const spec = {
      steps: [
        { id: "p", tool: "desk.pin" },
        { id: "d", tool: "desk.fetch" },
      ],
      return: { pin: { $ref: "steps.p.structured.pin" }, doc: { $ref: "steps.d.text" } },
    };
    const { host } = await open({ p: { description: "Reads.", spec } });
    const hop = await host.call({ tool: "pipe.p" });
    const whole = '{"pin":"1234","doc":"a document"}';
    expect(userView(hop).verbatim).toMatchObject([{ text: whole }]);
    expect(JSON.stringify(modelView(hop))).not.toContain("1234");
    expect(JSON.stringify(modelView(hop))).toContain("a document");
  });

  it("Its name must be one that models can use.", async () => {
    const pipes = { "a b": one("desk.fetch").p } as ServedPipes;
    await expect(open(pipes)).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringMatching(/"a b"/),
    });
  });
});

describe("a pipe of the operator under the single step", () => {
  it("It is one call of the query if the allowlist names it, and denied if it does not.", async () => {
    const { host, calls } = await open();
    const request = { tool: "report", arguments: { id: "7" } };
    const query = createSingleStep(host, { allow: ["pipe.report"] }).startQuery();
    expect(await query.call(request)).toMatchObject({ code: "complete" });
    expect(await query.call(request)).toMatchObject({ code: "step-used" });
    expect(calls).toEqual(["read", "fetch"]);
    const other = createSingleStep(host, { allow: ["desk.fetch"] }).startQuery();
    expect(await other.call(request)).toMatchObject({ code: "not-on-allowlist" });
    expect(calls).toHaveLength(2);
  });

  it("It has used the one call of the query if a step of it needs a person.", async () => {
    const authorize = ({ tool }: { tool: { name: string } }) =>
      tool.name === "fetch" ? "ask" : "allow";
    const { host, calls } = await open(REPORT, { authorize });
    const query = createSingleStep(host, { allow: ["pipe.report"] }).startQuery();
    const outcome = await query.call({ tool: "report", arguments: { id: "7" } });
    expect(outcome).toMatchObject({ verdict: "block", code: "needs-input", called: true });
    expect(calls).toEqual(["read"]);
  });

  it("It waits for a person if the allowlist says so.", async () => {
    const { host, calls } = await open();
    const allow = { "pipe.report": "ask" } as const;
    const query = createSingleStep(host, { allow }).startQuery();
    await query.call({ tool: "report", arguments: { id: "7" } });
    expect(calls).toEqual([]);
    expect(await query.resume("approve")).toMatchObject({ code: "complete" });
    expect(calls).toEqual(["read", "fetch"]);
  });
});

const approval = (approve: boolean) => ({ action: "accept", content: { approve } }) as const;

/** A host whose policy leaves these tools of `desk` to a person, and a call of a pipe that begins to wait. */
async function openWaiting(pipes: ServedPipes, asks: readonly string[], tool = "pipe.p") {
  const { host, calls } = await open(pipes, {
    authorize: ({ tool: { name } }) => (asks.includes(name) ? "ask" : "allow"),
  });
  const chain = await host.run({ tool, ...(tool === "pipe.report" && { arguments: { id: "7" } }) });
  const forms = chain.pending?.inputRequest?.requests ?? {};
  return { host, calls, chain, forms };
}

describe("a step of a pipe of the operator that needs a person", () => {
  it("becomes a form of the call, and the pipe continues without making a call again", async () => {
    const { host, calls, chain, forms } = await openWaiting(REPORT, ["fetch"], "pipe.report");
    expect(chain.ended).toBe("needs-input");
    expect(forms).toMatchObject({
      "0/approval": {
        message:
          "steps.doc: desk.fetch needs a person's approval before it is called.\nArguments: {}",
      },
    });
    expect(calls).toEqual(["read"]);
    const end = await host.resume(chain, { input: { "0/approval": approval(true) } });
    expect(end.hops[0]?.result.structuredContent).toEqual({ ticket: "7", doc: "a document" });
    expect(calls).toEqual(["read", "fetch"]);
  });

  it.each([approval(false), { action: "decline" }, { action: "cancel" }] as const)(
    "is not called if the person answers %j, and the pipe says so",
    async (answer) => {
      const { host, calls, chain } = await openWaiting(REPORT, ["fetch"], "pipe.report");
      const { hops } = await host.resume(chain, { input: { "0/approval": answer } });
      expect(hops[0]?.result).toMatchObject({ isError: true });
      expect(JSON.stringify(hops[0]?.result.content)).toContain("did not approve");
      expect(calls).toEqual(["read"]);
    },
  );

  it("asks with a form for each step that waits, also inside another pipe", async () => {
    const steps = ["a", "b"].map((id) => ({ id, tool: "desk.fetch" }));
    const pipes: ServedPipes = {
      ...one("pipe.inner"),
      inner: { description: "Two.", spec: { steps: [{ id: "g", parallel: steps }] } },
    };
    const { host, calls, chain, forms } = await openWaiting(pipes, ["fetch"]);
    expect(Object.values(forms).map(({ message }) => message.split(" needs")[0])).toEqual([
      "steps.a: pipe.inner asks: steps.g.children.a: desk.fetch",
      "steps.a: pipe.inner asks: steps.g.children.b: desk.fetch",
    ]);
    const input = Object.fromEntries(Object.keys(forms).map((key) => [key, approval(true)]));
    expect(await host.resume(chain, { input })).toMatchObject({ ended: "complete" });
    expect(calls).toEqual(["fetch", "fetch"]);
  });

  it("makes its call once if two answers arrive at the same time", async () => {
    const { host, calls, chain } = await openWaiting(one("desk.fetch"), ["fetch"]);
    const decision = { input: { "0/approval": approval(true) } };
    const ends = await Promise.all([1, 2].map(() => host.resume(chain, decision)));
    expect(calls).toEqual(["fetch"]);
    expect(ends.map(({ ended }) => ended).toSorted()).toEqual(["complete", "denied"]);
  });

  it("passes on what a server asks the user, and the answer to it", async () => {
    const { port, calls } = askingPort();
    const spec = {
      steps: [{ id: "pay", tool: "bank.transfer" }],
      return: { $ref: "steps.pay.text" },
    };
    const pipes = { p: { description: "Pays.", spec } };
    const host = await createHost({
      servers: { bank: port, pipe: (own) => pipeServer(own, pipes) },
      authorize: () => "allow",
    });
    const chain = await host.run({ tool: "pipe.p" });
    expect(chain.pending?.inputRequest?.requests).toMatchObject({
      "0/pin": { message: "steps.pay: bank.transfer asks: Your PIN?", requestedSchema: PIN_FORM },
    });
    const pin = { action: "accept", content: { pin: "1234" } } as const;
    const end = await host.resume(chain, { input: { "0/pin": pin } });
    expect(JSON.stringify(end.hops[0]?.result)).toContain("1234");
    expect(calls).toHaveLength(2);
  });

  it("shows the person also arguments that are for the user alone, and no model reads them", async () => {
    const spec = {
      steps: [
        { id: "p", tool: "desk.pin" },
        { id: "k", tool: "desk.keep", args: { pin: { $ref: "steps.p.structured.pin" } } },
      ],
    };
    const pipes = { p: { description: "Keeps a PIN.", spec } };
    const { chain, forms } = await openWaiting(pipes, ["keep"]);
    expect(forms["0/approval"]?.message).toContain('{"pin":"1234"}');
    expect(JSON.stringify(modelView(chain))).not.toContain("1234");
  });

  it("is made in the conversation of the pipe's own call", async () => {
    const heard: unknown[] = [];
    const { host } = await open(one("desk.fetch"), {
      authorize: ({ tool, conversation }) => {
        heard.push([tool.id, conversation]);
        return "allow";
      },
    });
    await host.call({ tool: "pipe.p" }, { conversation: "c1" });
    expect(heard).toEqual([
      ["pipe.p", "c1"],
      ["desk.fetch", "c1"],
    ]);
  });
});
