import { createHost, type McpPort, type Use } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { setClock } from "../clock.ts";
import { cache, rateLimit, redact } from "./examples.ts";

const text = (value: string) => ({ type: "text" as const, text: value });

/** A host with a tool that only reads and one that writes, and the calls that its server got. */
async function openHost(use: readonly Use[]) {
  const clock = { nowMs: 0 };
  setClock(() => clock.nowMs);
  const calls: string[] = [];
  const inputSchema = { type: "object" } as const;
  const docs: McpPort = {
    list: async () => ({
      tools: [
        { name: "read", inputSchema, annotations: { readOnlyHint: true } },
        { name: "write", inputSchema },
      ],
    }),
    call: async ({ name }) => {
      calls.push(name);
      const card = `card 4111111111111111, call ${calls.length}`;
      return { content: [text(card)], structuredContent: { card } };
    },
  };
  const host = await createHost({ servers: { docs }, use });
  const run = (tool: string, conversation?: string) =>
    host.call({ tool, arguments: {} }, conversation === undefined ? {} : { conversation });
  return { run, calls, clock };
}

describe("the rate limiter of the guide", () => {
  it("answers in place of the server beyond the limit, and lets calls pass a minute later", async () => {
    const { run, calls, clock } = await openHost([rateLimit(2)]);
    await run("docs.write");
    await run("docs.write");
    expect((await run("docs.write")).result).toMatchObject({
      isError: true,
      content: [text("docs.write was called 2 times this minute: wait.")],
    });
    expect(calls).toHaveLength(2);
    clock.nowMs = 60_001;
    expect((await run("docs.write")).result.isError).toBeUndefined();
  });

  it("counts each conversation for itself", async () => {
    const { run, calls } = await openHost([rateLimit(1)]);
    await run("docs.write", "a");
    await run("docs.write", "b");
    expect(calls).toHaveLength(2);
  });
});

describe("the redactor of the guide", () => {
  it("takes what must not be read out of texts and structured content", async () => {
    const { run } = await openHost([redact(/\b\d{16}\b/g)]);
    const { result } = await run("docs.read");
    expect(JSON.stringify(result)).not.toContain("4111");
    expect(result.structuredContent).toEqual({ card: "card ▇▇▇, call 1" });
  });
});

describe("a cache as a plugin", () => {
  it("makes a call that only reads once while its result is fresh, and others each time", async () => {
    const { run, calls, clock } = await openHost([cache(1_000)]);
    const first = await run("docs.read");
    expect((await run("docs.read")).result).toEqual(first.result);
    await run("docs.write");
    await run("docs.write");
    expect(calls).toEqual(["read", "write", "write"]);
    clock.nowMs = 1_001;
    await run("docs.read");
    expect(calls).toHaveLength(4);
  });
});

it("puts all three together: the cache answers before the limiter counts, and what it keeps is redacted too", async () => {
  const { run, calls } = await openHost([cache(1_000), rateLimit(1), redact(/\b\d{16}\b/g)]);
  await run("docs.read");
  const { result } = await run("docs.read");
  expect(calls).toEqual(["read"]);
  expect(result.structuredContent).toEqual({ card: "card ▇▇▇, call 1" });
});
