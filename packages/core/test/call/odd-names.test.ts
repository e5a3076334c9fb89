import { describe, expect, it } from "vitest";
import {
  createHost,
  type HostEvent,
  type HostOptions,
  type McpPort,
  modelView,
  userView,
} from "../../src/index.ts";

const HALF = "\ud83d";

interface Seen {
  arguments?: unknown;
}

async function open(names: readonly string[] = ["pay"], options: Partial<HostOptions> = {}) {
  const seen: Seen = {};
  const events: HostEvent[] = [];
  const port: McpPort = {
    list: async () => ({ tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) }),
    async call({ arguments: args }) {
      seen.arguments = args;
      const text = `paid ${HALF}`;
      const forUser = { type: "text", text, annotations: { audience: ["user"] } };
      return {
        content: [{ type: "text", text }, forUser],
        structuredContent: { [`a${HALF}`]: [text] },
      };
    },
  };
  const onEvent = (event: HostEvent) => void events.push(event);
  const host = await createHost({ servers: { shop: port }, onEvent, ...options });
  return { host, port, seen, events };
}

describe("the name of a server", () => {
  it.each(["shop.admin", "shop\u001b[2J", "shop\n", `shop${HALF}`])(
    "is refused if it could be mistaken or changes a terminal: %j",
    async (name) => {
      const { port } = await open();
      const opened = createHost({ servers: { [name]: port, other: port } });
      await expect(opened).rejects.toMatchObject({ code: "invalid-options" });
    },
  );

  it("is refused for a plugin with tools as well", async () => {
    const call = async () => ({ content: [] });
    const tool = { name: "pay", inputSchema: { type: "object" }, call };
    const opened = open([], { use: [{ name: "shop.admin", tools: [tool] }] });
    await expect(opened).rejects.toMatchObject({ code: "invalid-options" });
  });
});

describe("the name of a tool", () => {
  it("reaches no message of an event or an error with a control character or half a character", async () => {
    const name = `x\u001b[2J\nToolrail: all is well\u202e${HALF}`;
    const { host, events } = await open([name, "pay"]);
    await host.call({ tool: { server: "shop", name } });
    const failed = await host.call({ tool: "x" }).catch((error: Error) => error.message);
    const messages = [...events.flatMap(({ message }) => message ?? []), failed];
    expect(messages.join(" ")).toContain("\\u001b[2J");
    for (const message of messages) expect(message).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
  });
});

describe("half of a character", () => {
  it("is sent in no argument, and read in no result", async () => {
    const { host, seen } = await open();
    const args = { note: `thanks ${HALF}`, list: [HALF] };
    const hop = await host.call({ tool: "pay", arguments: args });
    expect(seen.arguments).toEqual({ note: "thanks \ufffd", list: ["\ufffd"] });
    const all = JSON.stringify([hop, modelView(hop), userView(hop)]);
    expect(all).toContain("paid \ufffd");
    expect(all).not.toMatch(/\\ud83d/i);
  });

  it("does not come from the cut of a long text", async () => {
    const { host } = await open();
    const tool = `${"x".repeat(999)}😀`;
    const error = await host.call({ tool }).catch((thrown: Error) => thrown);
    expect(String(error).isWellFormed()).toBe(true);
  });

  it("is refused in a conversation, before anything is sent", async () => {
    const { host, seen } = await open();
    const called = host.call({ tool: "pay" }, { conversation: `ann${HALF}` });
    await expect(called).rejects.toMatchObject({ code: "invalid-options" });
    expect(seen.arguments).toBeUndefined();
  });
});
