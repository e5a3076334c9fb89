import { describe, expect, it } from "vitest";
import {
  createHost,
  createSingleStep,
  type GuardedPipes,
  modelView,
  userView,
} from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const REPORT: GuardedPipes = {
  report: {
    description: "Reads the ticket and its document.",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: false,
    },
    spec: {
      vars: { id: "" },
      steps: [
        { id: "ticket", tool: "read", args: { id: { $ref: "vars.id" } } },
        { id: "doc", tool: "fetch", args: {} },
      ],
      return: { ticket: { $ref: "steps.ticket.structured.id" }, doc: { $ref: "steps.doc.text" } },
    },
  },
};

async function open(allow: object, pipes = REPORT) {
  const desk = await createTestServer({
    read: {
      answer: ({ arguments: args }) => ({ ...asking("delete"), structuredContent: args }),
    },
    fetch: {},
    delete: {},
    fail: { answer: () => ({ content: [{ type: "text", text: "no" }], isError: true }) },
    mcp_pipe: {},
    pin: {
      answer: () => ({
        content: [{ type: "text", text: "1234", annotations: { audience: ["user"] } }],
        structuredContent: { pin: "1234" },
      }),
    },
  });
  const host = await createHost({ servers: { desk: desk.client } });
  return { desk, guard: createSingleStep(host, { allow: allow as never, pipes }) };
}

function failing(step: object): GuardedPipes {
  return { report: { description: "Fails.", spec: { steps: [step] } } };
}

describe("a pipe of the model", () => {
  it("is not run, also where a server would run it and the list names it", async () => {
    const { guard, desk } = await open(["*", "desk.mcp_pipe"]);
    expect(guard.tools.map(({ name }) => name)).not.toContain("mcp_pipe");
    const outcome = await guard.startQuery().call({ tool: "mcp_pipe" });
    expect(outcome).toMatchObject({ code: "not-allowed" });
    expect(outcome.message).toContain("Offer a pipe of your own");
    expect(desk.calls).toEqual([]);
  });
});

describe("a pipe of the operator", () => {
  it("is one tool among the others, and one call runs all its steps", async () => {
    const { guard, desk } = await open(["desk.fetch", "pipe.report"]);
    expect(guard.tools.map(({ id, modelName }) => [id, modelName])).toEqual([
      ["desk.fetch", "fetch"],
      ["pipe.report", "report"],
    ]);
    const query = guard.startQuery();
    const outcome = await query.call({ tool: "report", arguments: { id: "7" } });
    expect(outcome).toMatchObject({ code: "complete", value: { ticket: "7", doc: "fetch done" } });
    expect(outcome).not.toHaveProperty("notFollowed");
    expect(await query.call({ tool: "fetch" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["read", "fetch"]);
  });

  it("is denied where the allowlist does not name it, and asked for where it says so", async () => {
    const denied = await open(["desk.fetch"]);
    expect(
      await denied.guard.startQuery().call({ tool: "report", arguments: { id: "7" } }),
    ).toMatchObject({ code: "not-on-allowlist" });
    const { guard, desk } = await open({ "pipe.report": "ask" });
    const query = guard.startQuery();
    await query.call({ tool: "report", arguments: { id: "7" } });
    expect(desk.calls).toEqual([]);
    expect(await query.resume("approve")).toMatchObject({ code: "complete" });
  });

  it.each([[{}], [{ id: 7 }], [{ id: "7", steps: [] }]])("refuses %j", async (args) => {
    const { guard, desk } = await open(["pipe.report"]);
    const outcome = await guard.startQuery().call({ tool: "report", arguments: args });
    expect(outcome).toMatchObject({ code: "invalid-arguments" });
    expect(desk.calls).toEqual([]);
  });

  it("that fails is an error for the user alone, with every step kept", async () => {
    const { guard } = await open(["pipe.report"], failing({ id: "a", tool: "fail" }));
    const outcome = await guard.startQuery().call({ tool: "report" });
    expect(outcome).toMatchObject({ code: "tool-error", hop: { result: { isError: true } } });
    expect(outcome).toHaveProperty("hop.result._meta.pipe.ok", false);
  });

  it("whose spec cannot run is refused, and the query is not used up", async () => {
    const { guard } = await open(["pipe.report", "desk.fetch"], failing({ id: "a", tool: "gone" }));
    const query = guard.startQuery();
    expect(await query.call({ tool: "report" })).toMatchObject({ code: "invalid-pipe" });
    expect(query.state.phase).toBe("open");
  });

  it("is not sent a number that JSON cannot write", async () => {
    const { guard, desk } = await open(["pipe.count"], {
      count: {
        description: "Counts.",
        inputSchema: { type: "object", properties: { n: { type: "number" } } },
        spec: { vars: { n: 0 }, steps: [{ id: "doc", tool: "fetch", args: {} }] },
      },
    });
    const outcome = await guard.startQuery().call({ tool: "count", arguments: { n: Number.NaN } });
    expect(outcome).toMatchObject({ code: "invalid-arguments" });
    expect(desk.calls).toEqual([]);
  });

  it("needs a name that models can use and no tool has", async () => {
    await expect(open([], { "a b": REPORT.report as never })).rejects.toThrow("rename it");
    await expect(open([], { fetch: REPORT.report as never })).rejects.toThrow("name of a tool");
  });

  it("shows the user what a step answered for the user alone, and the model a placeholder", async () => {
    const spec = {
      steps: [
        { id: "p", tool: "pin" },
        { id: "d", tool: "fetch" },
      ],
    };
    const returned = { pin: { $ref: "steps.p.structured.pin" }, doc: { $ref: "steps.d.text" } };
    const pipes = { report: { description: "Reads.", spec: { ...spec, return: returned } } };
    const { guard } = await open(["pipe.report"], pipes);
    const outcome = await guard.startQuery().call({ tool: "report" });
    expect(outcome).toMatchObject({ code: "complete" });
    if (outcome.code !== "complete") return;
    const full = '{"pin":"1234","doc":"fetch done"}';
    expect(userView(outcome.hop).verbatim).toMatchObject([{ text: full }]);
    expect(modelView(outcome.hop).content).toEqual([
      { type: "text", text: '{"pin":"(for the user alone)","doc":"fetch done"}' },
    ]);
    expect(outcome.hop.output).toMatchObject({ value: { pin: "1234" } });
  });
});
