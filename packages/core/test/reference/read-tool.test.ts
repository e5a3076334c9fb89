import { describe, expect, it } from "vitest";
import { defineReadTool } from "../../src/adapter.ts";
import { createHost } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const PAGE = Array.from({ length: 2_201 }, (_, at) => `line ${at}`).join("\n");
const ROWS = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` }));

async function open(text = PAGE) {
  const server = await createTestServer({
    page: { answer: () => ({ content: [{ type: "text", text }] }) },
    rows: { answer: () => ({ content: [], structuredContent: { rows: ROWS } }) },
    read_result: {},
  });
  const host = await createHost({ servers: { web: server.client }, references: true });
  const keep = async (tool: string) =>
    (await host.keep(await host.call({ tool }), { scope: "s" })).kept ?? "";
  const tool = defineReadTool(host);
  const read = (input: unknown, scope = "s") => tool?.read(input, scope);
  return { host, server, keep, read };
}

describe("read_result", () => {
  it("reads lines of a text, and says how to go on", async () => {
    const { keep, read, server } = await open();
    const from = `${await keep("page")}.text`;
    const answer = await read({ from, start: 100, count: 2 });
    expect(answer).toEqual({
      text: "[2201 lines, 2 shown from 100; continue with start 102]\nline 100\nline 101",
      isError: false,
    });
    expect(server.calls).toEqual(["page"]);
  });

  it("reads the lines that contain a text", async () => {
    const { keep, read } = await open();
    const answer = await read({ from: `\${${await keep("page")}}`, find: "LINE 17", count: 1 });
    expect(answer?.text).toBe(
      "[111 of 2201 lines contain it, 1 shown from 0; continue with start 1]\nline 17",
    );
  });

  it("reads items of a list, and the shape of an object", async () => {
    const { keep, read } = await open();
    const id = await keep("rows");
    const items = await read({ from: `${id}.structured.rows`, find: '"row 7"' });
    expect(items?.text).toBe(
      '[1 of 300 items contain it, 1 shown from 0]\n{"id":7,"name":"row 7"}',
    );
    expect((await read({ from: id }))?.text).toContain(".rows list of 300");
  });

  it("reads a text without lines in pieces, to its end", async () => {
    const { keep, read } = await open("abcdefghij".repeat(2_000));
    const from = await keep("page");
    let [start, all] = [0, ""];
    for (let more = true; more; ) {
      const answer = (await read({ from, start }))?.text ?? "";
      all += answer.slice(answer.indexOf("\n") + 1).replaceAll("\n", "");
      const [, next] = /continue with start (\d+)/.exec(answer) ?? [];
      more = next !== undefined;
      start = Number(next);
    }
    expect(all).toBe("abcdefghij".repeat(2_000));
  });

  it("returns at most 8,000 characters, whatever is asked for", async () => {
    const { keep, read } = await open("x".repeat(1_000_000));
    const answer = await read({ from: await keep("page"), count: 1e9 });
    expect(answer?.text.length).toBeLessThanOrEqual(8_000);
  });

  it.each([[{}], [{ from: 7 }], [{ from: "web" }], [{ from: "k00000.text" }], [null]])(
    "says of %j that nothing is kept by that name",
    async (input) => {
      const { read } = await open();
      expect(await read(input)).toMatchObject({
        isError: true,
        text: expect.stringContaining("There is no kept result"),
      });
    },
  );

  it("reads nothing of another conversation, and nothing without one", async () => {
    const { host, keep, read } = await open();
    const from = await keep("page");
    const alone = await defineReadTool(host)?.read({ from }, undefined);
    for (const answer of [await read({ from }, "other"), await read({ from }, ""), alone]) {
      expect(answer).toMatchObject({ isError: true });
      expect(answer?.text).not.toContain("line 0");
    }
  });

  it("is not offered if the host keeps nothing", async () => {
    const server = await createTestServer({ a: {} });
    expect(defineReadTool(await createHost({ servers: { web: server.client } }))).toBeUndefined();
  });

  it("has its name to itself: a server's tool of that name gets another one", async () => {
    const { host } = await open();
    expect(host.find("web.read_result").modelName).toMatch(/^read_result_[0-9a-f]{20}$/);
  });
});
