import { createHost } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { references } from "@toolrail/core/references";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../servers.ts";

const PAGE = Array.from({ length: 2_201 }, (_, at) => `line ${at}`).join("\n");
const ROWS = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` }));

async function open(text = PAGE) {
  const server = await createTestServer({
    page: { answer: () => ({ content: [{ type: "text", text }] }) },
    rows: { answer: () => ({ content: [], structuredContent: { rows: ROWS } }) },
    read_result: {},
  });
  const host = await createHost({ servers: { web: server.client }, use: [references()] });
  const keep = async (tool: string) =>
    (await host.keep(await host.call({ tool }), { conversation: "s" })).kept ?? "";
  const read = async (input: unknown, conversation: string | undefined = "s") => {
    const request = { tool: "references.read_result", arguments: input as JsonObject };
    const { result } = await host.call(request, { origin: { by: "model" }, conversation });
    return { text: result.content[0]?.text ?? "", isError: result.isError === true };
  };
  /** All lines of a value, read with as many calls as that takes. */
  const readAll = async (input: { from: string; find?: string }) => {
    const lines: string[] = [];
    let start: number | undefined = 0;
    while (start !== undefined) {
      const text: string = (await read({ ...input, start })).text;
      const [head = "", ...shown] = text.split("\n");
      expect(text.length).toBeLessThanOrEqual(8_000);
      lines.push(...shown);
      const next: string | undefined = /continue with start (\d+)/.exec(head)?.[1];
      start = next === undefined ? undefined : Number(next);
    }
    return lines;
  };
  return { host, server, keep, read, readAll };
}

describe("read_result", () => {
  it("reads lines of a text, and says how to continue", async () => {
    const { keep, read, server } = await open();
    const from = `${await keep("page")}.text`;
    const answer = await read({ from, start: 100, count: 2 });
    expect(answer).toEqual({
      text: "[2201 lines, 2 shown from 100; continue with start 102]\nline 100\nline 101",
      isError: false,
    });
    expect(server.calls).toEqual(["page"]);
  });

  it("reads the lines that contain a text with their numbers, from which it reads on", async () => {
    const { keep, read } = await open();
    const from = await keep("page");
    const answer = await read({ from: `\${${from}}`, find: "LINE 17", start: 18, count: 2 });
    expect(answer.text.split("\n")).toEqual([
      "[111 of 2201 lines contain it, 2 shown from 18; continue with start 172]",
      "170: line 170",
      "171: line 171",
    ]);
    const rest = await read({ from, start: 170, count: 1 });
    expect(rest.text).toMatch(/\nline 170$/);
    const none = await read({ from, find: "nowhere" });
    expect(none.text).toBe("[0 of 2201 lines contain it, 0 shown from 0]");
  });

  it("reads every line that contains a text once, however often it continues", async () => {
    const lines = Array.from({ length: 90 }, (_, at) => `${at % 3 ? "" : "hit "}${at}`.padEnd(900));
    const { keep, readAll } = await open(lines.join("\n"));
    const found = (await readAll({ from: await keep("page"), find: "hit" })).flatMap((line) => {
      return /^(\d+): hit \1 /.exec(line)?.[1] ?? [];
    });
    expect(found).toEqual(Array.from({ length: 30 }, (_, at) => String(at * 3)));
  });

  it("reads whole values of a list or object, with their paths", async () => {
    const { keep, read } = await open();
    const id = await keep("rows");
    const items = await read({ from: `${id}.structured.rows`, find: '"row 7"' });
    expect(items.text).toBe(
      `[1 of 300 values in ${id}.structured.rows contain it, 1 shown from 0]\n7: [7] {"id":7,"name":"row 7"}`,
    );
    const all = await read({ from: id, start: 298 });
    expect(all.text).toBe(
      `[300 values in ${id}.structured, 2 shown from 298]\n.rows[298] {"id":298,"name":"row 298"}\n.rows[299] {"id":299,"name":"row 299"}`,
    );
  });

  const LONG = { "a.b": [1, "x"], body: `${"y".repeat(4_500)}\nend`, odd: "\u0001".repeat(1_900) };

  it("cuts no value in the middle, and a long text inside it into pieces", async () => {
    const { keep, readAll } = await open(JSON.stringify({ rows: ROWS, more: LONG }));
    const y = "y".repeat(2_000);
    expect(await readAll({ from: await keep("page") })).toEqual([
      ...ROWS.map((row) => `.rows[${row.id}] ${JSON.stringify(row)}`),
      '.more["a.b"] [1,"x"]',
      ...[y, y, "y".repeat(500), "end"].map((text) => `.more.body text: ${text}`),
      `.more.odd text: ${"\u0001".repeat(1_900)}`,
    ]);
  });

  it("reads a text without lines in pieces, to its end", async () => {
    const { keep, readAll } = await open("abcdefghij".repeat(2_000));
    const all = (await readAll({ from: await keep("page") })).join("");
    expect(all).toBe("abcdefghij".repeat(2_000));
  });

  it("returns at most 8,000 characters, whatever is asked for", async () => {
    const { keep, read } = await open("x".repeat(1_000_000));
    const answer = await read({ from: await keep("page"), count: 1e9 });
    expect(answer.text.length).toBeLessThanOrEqual(8_000);
  });

  it.each([[{ from: "web" }], [{ from: "k00000.text" }]])(
    "reports that nothing is kept by the name %j",
    async (input) => {
      const { read } = await open();
      expect(await read(input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/is not (the address of )?a kept result/),
      });
    },
  );

  it("reads nothing of another conversation, and nothing without one", async () => {
    const { host, keep, read } = await open();
    const from = await keep("page");
    const alone = await host.call({ tool: "references.read_result", arguments: { from } });
    expect(alone.result).toMatchObject({ isError: true });
    for (const answer of [await read({ from }, "other")]) {
      expect(answer).toMatchObject({ isError: true });
      expect(answer.text).not.toContain("line 0");
    }
  });

  it.each([[{}], [{ from: 7 }]])("is refused with the input %j", async (input) => {
    const { read } = await open();
    await expect(read(input)).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it("is not offered if the host keeps nothing", async () => {
    const server = await createTestServer({ a: {} });
    const host = await createHost({ servers: { web: server.client } });
    expect(host.tools.map(({ id }) => id)).toEqual(["web.a"]);
  });

  it("is a tool like others: policies see it, and its answer is never shortened", async () => {
    const { host, keep } = await open();
    const tool = host.find("references.read_result");
    expect(tool).toMatchObject({ modelName: "references_read_result", forModel: true });
    const from = await keep("page");
    const request = { tool: tool.id, arguments: { from, count: 200 } };
    const hop = await host.call(request, { conversation: "s" });
    expect(await host.keep(hop, { conversation: "s" })).toBe(hop);
  });
});
