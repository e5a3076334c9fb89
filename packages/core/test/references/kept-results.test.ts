import { createHost, type HostEvent, type HostOptions, type Store } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { setClock } from "../clock.ts";
import { createTestServer } from "../servers.ts";

const PAGE = "A line of a page.\n".repeat(1_000);
const LOST = {
  code: "invalid-arguments",
  message: expect.stringContaining("is not a kept result"),
};
const ALICE = { conversation: "alice" };
const MODEL = { ...ALICE, origin: { by: "model" } } as const;

/** A store as a table without a time to live: it forgets nothing, and answers `null` for what it does not have. */
function createTable(): Store {
  const rows = new Map<string, string>();
  return {
    get: (key) => JSON.parse(rows.get(key) ?? "null"),
    set: (key, value) => void rows.set(key, JSON.stringify(value)),
    delete: (key) => rows.delete(key),
  };
}

async function open(options: Omit<HostOptions, "servers"> = {}) {
  const server = await createTestServer({
    page: { answer: () => ({ content: [{ type: "text", text: PAGE }] }) },
    take: {},
  });
  const use = [references({ ttlMs: 60_000 })];
  const host = await createHost({ servers: { web: server.client }, use, ...options });
  const keep = async (text = PAGE, who: { conversation: string } = ALICE) => {
    const hop = await host.call({ tool: "page" });
    const content = [{ type: "text", text }];
    return (await host.keep({ ...hop, result: { content } }, who)).kept ?? "";
  };
  const pass = (id: string, who: { conversation: string } = ALICE) =>
    host.call({ tool: "take", arguments: { text: `\${${id}.text}` } }, { ...MODEL, ...who });
  const read = async (id: string) => {
    const request = { tool: "references.read_result", arguments: { from: id } };
    return (await host.call(request, MODEL)).result;
  };
  return { server, host, keep, pass, read };
}

it.each([
  [["web.*"], false],
  [["web.*", "references.read_result"], true],
])("A model whose tools are %j reads of the tool that reads on: %s.", async (allow, isTold) => {
  const { host } = await open({ allow });
  const { result } = await host.keep(await host.call({ tool: "page" }), ALICE);
  expect(result.content[0]?.text).toContain(".text}");
  expect(String(result.content[0]?.text).includes("references_read_result")).toBe(isTold);
});

describe("a kept result", () => {
  it("is not read after its time, however often it was used", async () => {
    let now = 1_000_000;
    setClock(() => now);
    const { server, keep, pass, read } = await open();
    const id = await keep();
    now += 59_000;
    expect(await read(id)).not.toHaveProperty("isError");
    await pass(id);
    expect(server.seen.at(-1)?.arguments).toEqual({ text: PAGE });
    now += 1_000;
    expect(await read(id)).toMatchObject({ isError: true });
    expect(JSON.stringify(await read(id))).not.toContain("A line");
    await expect(pass(id)).rejects.toMatchObject(LOST);
    expect(server.calls).toEqual(["page", "take"]);
  });

  it("is kept in a store that answers null, and by a name that no result of the conversation has", async () => {
    const store = createTable();
    let made = 0;
    const uuid = vi.spyOn(crypto, "randomUUID");
    uuid.mockImplementation(() => `0-0-0-0-${Math.floor(made++ / 4)}`);
    onTestFinished(() => uuid.mockRestore());
    const { server, keep, pass } = await open({ store });
    const texts = [1, 2, 3].map((at) => `${at} ${PAGE}`);
    const ids: string[] = [];
    for (const text of texts) ids.push(await keep(text));
    expect(new Set(ids).size).toBe(3);
    for (const [at, id] of ids.entries()) {
      await pass(id);
      expect(server.seen.at(-1)?.arguments).toEqual({ text: texts[at] });
    }
  });

  it("is dropped once all results in memory exceed 256 MiB in sum, the oldest first, and that is reported", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const { keep, pass } = await open({ onEvent, limits: { maxArgumentBytes: 20_000_000 } });
    const megabytes = (count: number) => "x".repeat(count * 1_048_576);
    const ids: string[] = [];
    for (let at = 0; at < 15; at++) ids.push(await keep(megabytes(18)));
    for (const id of ids.slice(1)) await pass(id);
    await expect(pass(ids[0] ?? "")).rejects.toMatchObject(LOST);
    expect(events).toContainEqual(expect.objectContaining({ type: "store-full" }));
  });

  it("is read whole by the model if the store fails, which the host warns of", async () => {
    const events: HostEvent[] = [];
    const fail = () => Promise.reject(new Error("down"));
    const store: Store = { get: fail, set: fail, delete: fail };
    const { host } = await open({ store, onEvent: (event) => void events.push(event) });
    const hop = await host.call({ tool: "page" });
    expect(await host.keep(hop, ALICE)).toBe(hop);
    expect(events).toContainEqual(expect.objectContaining({ type: "warning", code: "not-kept" }));
  });
});

describe("references", () => {
  it("names all its options if one of them is misspelt", () => {
    expect(() => references({ hole: 1 } as object)).toThrow(
      /references.hole does not exist. Use one of minLength, ttlMs\./,
    );
  });
});
