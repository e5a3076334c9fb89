import type { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer } from "@modelcontextprotocol/server";
import { createHost, type McpPort } from "@toolrail/core";
import { references } from "@toolrail/plugins/references";
import { describe, expect, it } from "vitest";
import { askingPort, PIN_FORM } from "../../core/test/call/asking-port.ts";
import { singleStep } from "../src/guard/index.ts";
import { type ServeHostOptions, serveHost } from "../src/index.ts";
import { pipeTool } from "../src/pipe/index.ts";

import { expectOnce, extraFor, info, modern, object, openHost, text, wires } from "./host-wires.ts";

describe.each(wires)("a host behind a server: $name", ({ name, connect }) => {
  it("lists the tools of all servers under names that are unique", async () => {
    const { host } = await openHost();
    const { tools } = await (await connect(host)).listTools();
    const names = ["bank_check", "bank_transfer", "bank_statement", "shop_count"];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true });
  });

  it("lists and calls no tool that `tools` leaves out", async () => {
    const { host, calls } = await openHost();
    const client = await connect(host, undefined, { tools: ["shop.count"] });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["shop_count"]);
    for (const name of ["bank_transfer", "bank.transfer", "transfer"]) {
      expect(await client.callTool({ name })).toMatchObject({ isError: true });
    }
    expect(calls).toEqual([]);
  });

  it("runs the chain of a call, and shows whose each result is", async () => {
    const { host, calls } = await openHost();
    const result = await (await connect(host)).callTool({ name: "bank_check" });
    expect(calls).toEqual(["check", "transfer"]);
    const texts = ["bank_check:", "It is due.", "Then bank_transfer was called:", "Sent 5."];
    expect(result).toMatchObject({ content: texts.map(text) });
  });

  it("keeps the audience of content for the user alone", async () => {
    const { host } = await openHost();
    const result = await (await connect(host)).callTool({ name: "bank_statement" });
    const last = { text: "IBAN 12", annotations: { audience: ["user"] } };
    expect(result).toMatchObject({ content: [text("Three rows."), last] });
  });

  it("asks the user of the client for an approval, and makes the call once", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const asked: string[] = [];
    const client = await connect(host, ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { approve: true } };
    });
    const result = await client.callTool({ name: "bank_check" });
    expect(asked).toEqual([
      `bank.transfer needs a person's approval before it is called.\nArguments: {"amount":5}`,
    ]);
    expect(calls).toEqual(["check", "transfer"]);
    expect(JSON.stringify(result)).toContain("Sent 5.");
  });

  it.each([{ action: "decline" }, { action: "accept", content: { approve: false } }] as const)(
    "does not make a call that the user answers with %o",
    async (answer) => {
      const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
      const client = await connect(host, () => answer);
      const result = await client.callTool({ name: "bank_check" });
      expect(calls).toEqual(["check"]);
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).toContain("It is due.");
    },
  );

  it("refuses a call that needs an approval if the client cannot ask, and keeps what was obtained", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const result = await (await connect(host)).callTool({ name: "bank_check" });
    expect(calls).toEqual(["check"]);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toMatch(/It is due.*this client cannot ask its user/);
  });

  it("answers a tool that is not there with an error, and says which", async () => {
    const { host } = await openHost();
    const result = await (await connect(host)).callTool({ name: "bank_nothing" });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("bank_nothing");
  });

  it("passes on what a server asks the user, and the answer to it", async () => {
    const { port, calls } = askingPort();
    const host = await createHost({ servers: { bank: port }, authorize: () => "allow" });
    const client = await connect(host, ({ message, requestedSchema }) => {
      expect({ message, requestedSchema }).toEqual({
        message: "bank.transfer asks: Your PIN?",
        requestedSchema: PIN_FORM,
      });
      return { action: "accept", content: { pin: "1234" } };
    });
    const result = await client.callTool({ name: "transfer", arguments: { amount: 5 } });
    expect(calls).toHaveLength(2);
    expect(JSON.stringify(result)).toContain("1234");
  });

  it("passes progress on to a client that wants to hear of it", async () => {
    const bank: McpPort = {
      list: async () => ({ tools: [{ name: "scan", inputSchema: object }] }),
      call: async (_, { onProgress }) => {
        onProgress?.({ progress: 1, total: 2 });
        return { content: [text("done")] };
      },
    };
    const host = await createHost({ servers: { bank } });
    const client = await connect(host);
    const heard: unknown[] = [];
    const options = { onprogress: (progress: unknown) => heard.push(progress) };
    await client.callTool({ name: "scan" }, ...extraFor(client, options));
    expect(heard).toEqual([{ progress: 1, total: 2 }]);
  });

  it("ends the call at the server behind when the client cancels", async () => {
    const ended = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const bank: McpPort = {
      list: async () => ({ tools: [{ name: "scan", inputSchema: object }] }),
      call: (_, { signal }) => {
        begun.resolve();
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            ended.resolve("ended");
            reject(signal.reason);
          });
        });
      },
    };
    const host = await createHost({ servers: { bank } });
    const client = await connect(host);
    const stop = new AbortController();
    const answer = client.callTool({ name: "scan" }, ...extraFor(client, { signal: stop.signal }));
    answer.catch(() => {});
    await begun.promise;
    stop.abort();
    expect(await ended.promise).toBe("ended");
  });

  it("tells a client that has listed the tools when they change, and lists the new ones", async () => {
    const tools = [{ name: "one", inputSchema: object }];
    const changed: (() => void)[] = [];
    const bank: McpPort = {
      list: async () => ({ tools: [...tools] }),
      call: async () => ({ content: [] }),
      watch(listener) {
        changed.push(listener);
        return () => {};
      },
    };
    const host = await createHost({ servers: { bank } });
    const client = await connect(host);
    const told = Promise.withResolvers<void>();
    listenFor(client, () => told.resolve());
    expect((await client.listTools()).tools).toHaveLength(1);
    tools.push({ name: "two", inputSchema: object });
    for (const tell of changed) tell();
    if (name !== modern.name) await told.promise; // Over HTTP each request has a server of its own there.
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["one", "two"]);
  });

  it("offers read_result for results that are kept, and reads them in their conversation alone", async () => {
    const long = "line of a long page\n".repeat(2_000);
    const web: McpPort = {
      list: async () => ({ tools: [{ name: "page", inputSchema: object }] }),
      call: async () => ({ content: [text(`${long}the end`)] }),
    };
    const host = await createHost({ servers: { web }, use: [references()] });
    const conversation = (name: string) => ({ conversation: () => name });
    const mine = await connect(host, undefined, conversation("mine"));
    const result = JSON.stringify(await mine.callTool({ name: "page" }));
    expect(result.length).toBeLessThan(10_000);
    const from = /\bk[0-9a-z]{5,}\b/.exec(result)?.[0];
    const reading = { name: "read_result", arguments: { from, find: "the end" } };
    expect(JSON.stringify(await mine.callTool(reading))).toContain("the end");
    const other = await connect(host, undefined, conversation("other"));
    expect(await other.callTool(reading)).toMatchObject({ isError: true });
  });
});

function listenFor(client: unknown, listener: () => void): void {
  if (client instanceof ClientV1) {
    client.setNotificationHandler(ToolListChangedNotificationSchema, listener);
  } else {
    (client as Client).setNotificationHandler("notifications/tools/list_changed", listener);
  }
}

const approve = { approval: { action: "accept", content: { approve: true } } };

/** A server whose transfer needs an approval, over HTTP in MCP 2026-07-28. `enter` begins another conversation. */
async function openServer() {
  const opened = await openHost({ requireApproval: ["bank.transfer"] });
  let conversation = "a";
  let user = "ada";
  const client = await modern.connect(opened.host, () => ({ action: "cancel" }), {
    conversation: () => conversation,
    context: () => ({ userId: user }),
  });
  const call = (more: object = {}) =>
    client.callTool(
      { name: "bank_transfer", arguments: {}, ...more },
      {
        allowInputRequired: true,
      },
    ) as Promise<{ requestState?: string }>;
  return {
    ...opened,
    call,
    enter: (name: string) => (conversation = name),
    signIn: (id: string) => (user = id),
  };
}

describe("a pause that a client continues with", () => {
  it("is taken once if two answers arrive at the same time", async () => {
    const { call, calls } = await openServer();
    const { requestState } = await call();
    const answer = { requestState, inputResponses: approve };
    await expectOnce(() => call(answer));
    expect(calls).toEqual(["transfer"]);
  });

  it("is taken once: the same answer makes no second call", async () => {
    const { call, calls } = await openServer();
    const { requestState } = await call();
    expect(requestState).toEqual(expect.any(String));
    const answer = { requestState, inputResponses: approve };
    expect(JSON.stringify(await call(answer))).toContain("Sent 5.");
    await expect(call(answer)).rejects.toThrow("Nothing waits for this answer");
    expect(calls).toEqual(["transfer"]);
  });

  it("does not count if another user answers, as `context` says", async () => {
    const { call, calls, signIn } = await openServer();
    const { requestState } = await call();
    signIn("bob");
    const end = await call({ requestState, inputResponses: approve });
    expect(end).toMatchObject({ isError: true });
    expect(JSON.stringify(end)).toContain("for another user");
    expect(calls).toEqual([]);
  });

  it("is not found in another conversation, for another tool, or by an id that was made up", async () => {
    const { call, calls, enter } = await openServer();
    const { requestState } = await call();
    const answer = { requestState, inputResponses: approve };
    enter("b");
    await expect(call(answer)).rejects.toThrow("Nothing waits");
    enter("a");
    await expect(call({ ...answer, name: "bank_check" })).rejects.toThrow("Nothing waits");
    await expect(call({ ...answer, requestState: "1" })).rejects.toThrow("Nothing waits");
    expect(calls).toEqual([]);
    expect(JSON.stringify(await call(answer))).toContain("Sent 5.");
  });

  it("is not found where no conversation is named if it was begun in one, nor the other way round", async () => {
    const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
    const connect = (options?: ServeHostOptions) =>
      modern.connect(host, () => ({ action: "cancel" }), options);
    const named = await connect({ conversation: () => "a" });
    const nameless = await connect();
    const call = (client: typeof named, answer: object = {}) =>
      client.callTool(
        { name: "bank_transfer", ...answer },
        { allowInputRequired: true },
      ) as Promise<{ requestState?: string }>;
    for (const [own, other] of [
      [named, nameless],
      [nameless, named],
    ] as const) {
      const { requestState } = await call(own);
      const answer = { requestState, inputResponses: approve };
      await expect(call(other, answer)).rejects.toThrow("Nothing waits");
      expect(JSON.stringify(await call(own, answer))).toContain("Sent 5.");
    }
    expect(calls).toEqual(["transfer", "transfer"]);
  });
});

it("asks again what the client left out, or answered with what is no answer", async () => {
  const { call, calls } = await openServer();
  const first = await call();
  for (const inputResponses of [{}, { other: {} }, { approval: { action: "accept" } }]) {
    const again = await call({ requestState: first.requestState, inputResponses });
    expect(again).toMatchObject({ resultType: "input_required", requestState: first.requestState });
  }
  expect(calls).toEqual([]);
});

it("does not make a call, nor ask without end, if a client of SDK v1 accepts without saying what", async () => {
  const { host, calls } = await openHost({ requireApproval: ["bank.transfer"] });
  let asked = 0;
  const [v1] = wires;
  const client = await v1?.connect(host, () => {
    asked++;
    return { action: "accept" };
  });
  expect(await client?.callTool({ name: "bank_transfer" })).toMatchObject({ isError: true });
  expect({ asked, calls }).toEqual({ asked: 1, calls: [] });
});

it("keeps nothing of one request for the next over HTTP without a session, since others may send it", async () => {
  const web: McpPort = {
    list: async () => ({ tools: [{ name: "page", inputSchema: object }] }),
    call: async () => ({ content: [text("line of a long page\n".repeat(2_000))] }),
  };
  const server = new McpServer(info);
  serveHost(server, await createHost({ servers: { web }, use: [references()] }));
  const handlers = (server.server as unknown as { _requestHandlers: Map<string, Handler> })
    ._requestHandlers;
  const call = (context: object, name: string, args = {}) => {
    const mcpReq = { requestState: () => undefined, signal: new AbortController().signal };
    const request = { method: "tools/call", params: { name, arguments: args } };
    return handlers.get("tools/call")?.(request, { mcpReq, ...context });
  };
  const read = async (context: object) => {
    const from = /\bk[0-9a-z]{5,}\b/.exec(JSON.stringify(await call(context, "page")))?.[0];
    return call(context, "read_result", { from });
  };
  expect(await read({ http: {} })).toMatchObject({ isError: true });
  expect(await read({})).toMatchObject({ isError: false });
  expect(await read({ http: {}, sessionId: "a" })).toMatchObject({ isError: false });
});

type Handler = (request: object, context: object) => Promise<unknown>;

it("refuses the guard as a pipe, and a pipe as the guard, so that no calls are offered unguarded", async () => {
  const { host } = await openHost();
  const server = new McpServer(info);
  const guard = singleStep({ allow: [] });
  for (const options of [{ pipe: guard }, { guard: pipeTool() }, { guard: { allow: [] } }]) {
    expect(() => serveHost(server, host, options as never)).toThrow(/must be what .* returns/);
  }
});

it.each([undefined, ""])(
  "makes no call if `conversation` returns %j, which names no conversation",
  async (conversation) => {
    const { host, calls } = await openHost();
    const client = await modern.connect(host, undefined, {
      conversation: () => conversation as string,
    });
    await expect(client.callTool({ name: "bank_transfer" })).rejects.toThrow(/`conversation`/);
    expect(calls).toEqual([]);
  },
);

it("refuses a server that has tools of its own, and says what to do", async () => {
  const { host } = await openHost();
  const server = new McpServer(info);
  server.registerTool("own", {}, () => ({ content: [] }));
  expect(() => serveHost(server, host)).toThrow(/has tools of its own/);
  expect(() => serveHost({} as McpServer, host)).toThrow(/Unsupported MCP server/);
});
