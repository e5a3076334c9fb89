import { otel } from "@toolrail/core/otel";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createHost, type HostEvent, type HostOptions, type McpPort } from "../../src/index.ts";

const port: McpPort = {
  list: async () => ({ tools: [{ name: "find", inputSchema: { type: "object" } }] }),
  call: async () => ({ content: [{ type: "text", text: "done" }] }),
};
const MISSPELT: HostOptions = { servers: { shop: port }, schemas: { "shop.fnid": {} } };
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

describe("events", () => {
  it("each say in a sentence what happened, and keep the console quiet", async () => {
    const events: HostEvent[] = [];
    const host = await createHost({ ...MISSPELT, onEvent: (event) => void events.push(event) });
    await host.run({ tool: "shop.find" });
    expect(warn).not.toHaveBeenCalled();
    for (const { message } of events) expect(message).toMatch(/^[A-Z`].*[.?]$/);
    expect(events.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        SENTENCE.replace("Toolrail: ", ""),
        "A chain of calls began.",
        'The call of shop.find passed the stage "authorize".',
        "The call of shop.find was answered.",
        "A chain ended after 1 call (complete).",
      ]),
    );
  });
});
