import { otel } from "@toolrail/core/otel";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { createWarnings } from "../../src/call/voice.ts";
import { engineOf } from "../../src/host/engine.ts";
import { createHost, type HostEvent, type HostOptions, type McpPort } from "../../src/index.ts";

const port: McpPort = {
  list: async () => ({ tools: [{ name: "find", inputSchema: { type: "object" } }] }),
  call: async () => ({ content: [{ type: "text", text: "done" }] }),
};
const MISSPELT: HostOptions = { servers: { shop: port }, schemas: { "shop.fnid": z.unknown() } };
const SENTENCE =
  'Toolrail: `schemas` names "shop.fnid", but no server lists such a tool. Did you mean "shop.find"?';

let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => {});
});

describe("a host to whose events nobody listens", () => {
  it("writes each problem to the console once, as a sentence", async () => {
    const host = await createHost(MISSPELT);
    await host.refresh();
    await expect.poll(() => warn.mock.calls).toEqual([[SENTENCE]]);
  });

  it("writes nothing if somebody listens", async () => {
    await createHost({ ...MISSPELT, onEvent: () => {} });
    await new Promise(setImmediate);
    expect(warn).not.toHaveBeenCalled();
  });

  it("writes them though its calls are traced", async () => {
    const api = await import("@opentelemetry/api");
    await createHost({ ...MISSPELT, use: [otel(api)] });
    await expect.poll(() => warn.mock.calls).toEqual([[SENTENCE]]);
  });
});

describe("the lines of a host to whose events nobody listens", () => {
  it("are one for each server and code, however many tools a server breaks and renames, for however long", async () => {
    let round = 0;
    const renaming: McpPort = {
      list: async () => {
        round++;
        return { tools: Array.from({ length: 10_000 }, (_, at) => ({ name: `t${round}-${at}` })) };
      },
      call: port.call,
    };
    const host = await createHost({ servers: { shop: renaming, other: port } });
    for (let again = 0; again < 3; again++) await host.refresh("shop");
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    expect(host.problems.length).toBeGreaterThan(9_000);
  });

  it("end after a hundred, with one line that says so", () => {
    const write = createWarnings();
    for (let at = 0; at < 5_000; at++) {
      const problem = { server: `s${at}`, code: "list-failed" } as const;
      write({ type: "problem", atMs: 0, problem, message: `The server s${at} is down.` });
    }
    expect(warn.mock.calls).toHaveLength(101);
    expect(String(warn.mock.calls.at(-1))).toContain("host.problems");
  });

  it("hold no control character and no second line of a server's words", async () => {
    const name = `${"\u001b"}[2J\nToolrail: all is well${"\u202e"}`;
    const listed = { tools: [{ name }] };
    await createHost({ servers: { shop: { ...port, list: async () => listed } } });
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    expect(String(warn.mock.calls[0])).toContain("\\u001b[2J\\u000a");
    expect(String(warn.mock.calls[0])).not.toMatch(/\p{Cc}|\u202e/u);
  });
});

describe("events", () => {
  it("have a hundred different warnings at most, since a server can make as many as it likes", async () => {
    const warnings: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void (event.type === "warning" && warnings.push(event));
    const host = await createHost({ servers: { shop: port }, onEvent });
    for (let at = 0; at < 500; at++) engineOf(host).warn("cannot-wait", `call ${at}`);
    await expect.poll(() => warnings.length).toBe(100);
  });

  it("say in a sentence what to do where there is something to do, and keep the console quiet", async () => {
    const events: HostEvent[] = [];
    const host = await createHost({ ...MISSPELT, onEvent: (event) => void events.push(event) });
    await host.run({ tool: "shop.find" });
    expect(warn).not.toHaveBeenCalled();
    expect(events.flatMap(({ message }) => message ?? [])).toEqual([
      SENTENCE.replace("Toolrail: ", ""),
    ]);
    expect(events.map(({ type }) => type)).toContain("chain-ended");
  });
});
