import { McpServer } from "@modelcontextprotocol/server";
import { createHost, type Host } from "@toolrail/core";
import { references } from "@toolrail/plugins/references";
import { describe, expect, it } from "vitest";
import { askingPort } from "../../core/test/call/asking-port.ts";
import { type ServeHostOptions, serveHost } from "../src/index.ts";
import { pipeTool } from "../src/pipe/index.ts";
import { expectOnce, extraFor, info, modern, object, openHost, text, wires } from "./host-wires.ts";

const yes = () => ({ action: "accept", content: { approve: true } }) as const;

const step = (id: string, tool: string) => ({ id, tool });
const call = (steps: object[], returned?: unknown) => ({
  name: "mcp_pipe",
  arguments: { steps, ...(returned !== undefined && { return: returned }) },
});

/** Counts, then transfers. */
const PAY = call(
  [step("n", "count"), step("pay", "transfer")],
  ["${steps.n.structured.count}", { $ref: "steps.pay.text" }],
);

describe.each(wires)("mcp_pipe for the clients of a served host: $name", ({ connect }) => {
  const open = (host: Host, fill?: Parameters<typeof connect>[1], options?: ServeHostOptions) =>
    connect(host, fill, { pipe: pipeTool(), ...options });

  it("is listed beside the tools, and runs several calls in one", async () => {
    const { host, calls } = await openHost();
    const client = await open(host);
    expect((await client.listTools()).tools.at(-1)).toMatchObject({
      name: "mcp_pipe",
      annotations: { destructiveHint: true },
    });
    const result = await client.callTool(PAY);
    expect(result).toMatchObject({
      structuredContent: {
        ...{ ok: true, result: ["7", "Sent 5."] },
        steps: { n: { ok: true }, pay: { ok: true } },
      },
    });
    expect(calls).toEqual(["transfer"]);
  });

  it("asks the user of the client about a step, and continues without making a call again", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const asked: string[] = [];
    const client = await open(host, ({ message }) => {
      asked.push(message);
      return yes();
    });
    const steps = [step("s", "statement"), step("pay", "transfer")];
    const result = await client.callTool(call(steps, { $ref: "steps.pay.text" }));
    expect(asked).toEqual([
      "steps.pay: bank.transfer needs a person's approval before it is called.\nArguments: {}",
    ]);
    expect(result).toMatchObject({ structuredContent: { ok: true, result: "Sent 5." } });
    expect(calls).toEqual(["statement", "transfer"]);
  });

  it("passes on what a server asks the user in a step, and the answer to it", async () => {
    const { port, calls } = askingPort();
    const host = await createHost({ servers: { bank: port }, authorize: () => "allow" });
    const client = await open(host, () => ({ action: "accept", content: { pin: "1234" } }));
    const result = await client.callTool(
      call([{ ...step("pay", "transfer"), args: { amount: 5 } }], { $ref: "steps.pay.text" }),
    );
    expect(JSON.stringify(result)).toContain("1234");
    expect(calls).toHaveLength(2);
  });

  it("makes no call that is no longer offered when its user has answered", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    let isOpen = true;
    const fill = () => {
      isOpen = false;
      return yes();
    };
    const tools = ({ name }: { name: string }) => isOpen || name === "count";
    const client = await open(host, fill, { tools });
    const result = await client.callTool(PAY);
    expect(JSON.stringify(result)).toContain("bank.transfer was not called: it is not offered");
    expect(calls).toEqual([]);
  });

  it("fails in a step that needs a person if the client cannot ask, or says that it can and cannot", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const unable = await (await open(host)).callTool(PAY);
    expect(unable).toMatchObject({ isError: true });
    expect(JSON.stringify(unable)).toContain("this client cannot ask its user");
    const lying = await open(host, () => {
      throw new Error("There is no user.");
    });
    const result = await lying.callTool(PAY).catch((error: unknown) => ({ isError: true, error }));
    expect(result).toMatchObject({ isError: true });
    expect(calls).toEqual([]);
  });

  it("replies with a placeholder for content that is for the user alone, in its steps too", async () => {
    const pin = { ...text("1234"), annotations: { audience: ["user"] } };
    const bank = {
      list: async () => ({ tools: [{ name: "pin", inputSchema: object }] }),
      call: async () => ({ content: [pin], structuredContent: { pin: "1234" } }),
    };
    const client = await open(await createHost({ servers: { bank } }));
    const spec = call([step("p", "pin")], { $ref: "steps.p.structured.pin" });
    const result = await client.callTool(spec);
    expect(result).toMatchObject({ isError: false, structuredContent: { steps: { p: {} } } });
    expect(JSON.stringify(result)).not.toContain("1234");
  });

  it("calls no tool that the client is not offered", async () => {
    const { host, calls } = await openHost();
    const client = await open(host, undefined, { tools: ["shop.*"] });
    const result = await client.callTool(PAY);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("bank.transfer is not offered here");
    expect(JSON.stringify((await client.listTools()).tools)).not.toContain("transfer");
    expect(calls).toEqual([]);
  });

  it("makes no further call when the client cancels while its user is asked, even if the user then says yes", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const stop = new AbortController();
    const client = await open(host, () => {
      stop.abort();
      return yes();
    });
    const answer = client.callTool(PAY, ...extraFor(client, { signal: stop.signal }));
    await expect(answer).rejects.toThrow();
    expect(calls).toEqual([]);
  });
});

/** A client of MCP 2026-07-28 that answers by hand. `enter` begins another conversation. */
async function openByHand() {
  const opened = await openHost({ requireApproval: ["bank.transfer", "bank.statement"] });
  let conversation = "a";
  const client = await modern.connect(opened.host, yes, {
    pipe: pipeTool(),
    conversation: () => conversation,
  });
  const send = (more: object = {}, spec: object = PAY) =>
    client.callTool({ ...spec, ...more } as typeof PAY, { allowInputRequired: true }) as Promise<{
      requestState?: string;
      inputRequests?: Record<string, unknown>;
    }>;
  return { ...opened, send, enter: (name: string) => (conversation = name) };
}

describe("a pipe that waits for the user of a client", () => {
  const approve = { "0/approval": yes() };

  it("continues once: of two answers at the same time, and of a replay, nothing is called again", async () => {
    const { send, calls } = await openByHand();
    const { requestState } = await send();
    const answer = { requestState, inputResponses: approve };
    await expectOnce(() => send(answer));
    await expect(send(answer)).rejects.toThrow("Nothing waits for this answer");
    expect(calls).toEqual(["transfer"]);
  });

  it("is not found by another session, for another tool, or by an id that was made up", async () => {
    const { send, calls, enter } = await openByHand();
    const { requestState } = await send();
    const answer = { requestState, inputResponses: approve };
    enter("b");
    await expect(send(answer)).rejects.toThrow("Nothing waits");
    enter("a");
    await expect(send({ ...answer, name: "bank_transfer" })).rejects.toThrow("Nothing waits");
    await expect(send({ ...answer, requestState: "1" })).rejects.toThrow("Nothing waits");
    expect(calls).toEqual([]);
    expect(JSON.stringify(await send(answer))).toContain("Sent 5.");
  });

  it("runs the spec that it began with, whatever spec comes with the answer", async () => {
    const { send, calls } = await openByHand();
    const { requestState } = await send();
    const other = call([step("x", "statement")]);
    const end = await send({ requestState, inputResponses: approve }, other);
    expect(JSON.stringify(end)).toContain("Sent 5.");
    expect(calls).toEqual(["transfer"]);
  });

  it("asks about all steps that wait, and again about all until each has an answer that can be read", async () => {
    const { send, calls } = await openByHand();
    const both = call([{ id: "g", parallel: [step("a", "transfer"), step("b", "statement")] }]);
    const { requestState, inputRequests = {} } = await send({}, both);
    expect(Object.keys(inputRequests)).toEqual(["0/approval", "1/approval"]);
    const again = await send({ requestState, inputResponses: approve }, both);
    expect(Object.keys(again.inputRequests ?? {})).toHaveLength(2);
    expect(calls).toEqual([]);
    const answers = { ...approve, "1/approval": { action: "decline" } };
    const end = await send({ requestState, inputResponses: answers }, both);
    expect(end).toMatchObject({ isError: true });
    expect(calls).toEqual(["transfer"]);
  });
});

it("keeps a long result of a pipe, whose client reads a page of it with read_result", async () => {
  const page = { name: "page", inputSchema: object };
  const web = {
    list: async () => ({ tools: [page] }),
    call: async () => ({ content: [text(`${"line of a long page\n".repeat(2_000)}the end`)] }),
  };
  const host = await createHost({ servers: { web }, use: [references()] });
  for (const { connect } of wires) {
    const client = await connect(host, undefined, { pipe: pipeTool(), conversation: () => "c" });
    const spec = call([step("p", "page")], { $ref: "steps.p.text" });
    const result = JSON.stringify(await client.callTool(spec));
    expect(result.length).toBeLessThan(10_000);
    const from = /\bk[0-9a-z]{5,}\b/.exec(result)?.[0];
    const reading = { name: "read_result", arguments: { from, find: "the end" } };
    expect(JSON.stringify(await client.callTool(reading))).toContain("the end");
  }
});

it("takes no options that do not exist, and not the guard beside a pipe", async () => {
  const { host } = await openHost();
  expect(() => pipeTool({ tools: ["a"] } as object)).toThrow(/pipeTool has no option "tools"/);
  const server = new McpServer(info);
  const guard = { kind: "guard", offer: () => undefined } as const;
  expect(() => serveHost(server, host, { pipe: pipeTool(), guard })).toThrow(/either `pipe` or/);
});
