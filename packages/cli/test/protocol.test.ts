import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { startHttpServer } from "./fixtures/http-server.ts";
import { runHere, runHereJson } from "./run-here.ts";

/** A server that speaks the revision 2026-07-28 alone. */
async function serveModern(): Promise<string> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "bank", version: "1" });
      const region = { type: "string" };
      const inputSchema = fromJsonSchema<{ region: string }>({
        type: "object",
        properties: { region },
      } as never);
      server.registerTool("branch", { inputSchema }, (args) => ({
        content: [{ type: "text", text: `the branch of ${args.region}` }],
      }));
      return server;
    },
    { legacy: "reject" },
  );
  const http = createServer(async (request, response) => {
    const { method = "POST", headers } = request;
    const body = method === "POST" ? { body: await buffer(request) } : {};
    const url = `http://localhost${request.url}`;
    const answer = await handler.fetch(
      new Request(url, { method, headers: headers as Record<string, string>, ...body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return `bank=http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

it("--protocol 2026-07-28 calls a server of that revision.", async () => {
  const server = ["--server", await serveModern()];
  const call = ["call", "branch", '{"region":"Zürich"}', ...server];
  const { code, document } = await runHereJson([...call, "--protocol", "2026-07-28"]);
  expect(document).toMatchObject({
    hops: [{ result: { content: [{ text: "the branch of Zürich" }] } }],
  });
  expect(code).toBe(0);
  expect(await runHere(call)).toMatchObject({ code: 1 });
});

it("--protocol 2026-07-28 speaks that revision to a program, too.", async () => {
  const file = fileURLToPath(new URL("./fixtures/modern-server.ts", import.meta.url));
  const call = ["call", "era", "--server", `a="${process.execPath}" "${file}"`];
  const modern = await runHereJson([...call, "--protocol", "2026-07-28"]);
  expect(modern.document).toMatchObject({ hops: [{ result: { content: [{ text: "modern" }] } }] });
  const { document } = await runHereJson(call);
  expect(document).toMatchObject({ hops: [{ result: { content: [{ text: "legacy" }] } }] });
});

it("--protocol 2026-07-28 is refused by a server of an older revision, in one line.", async () => {
  const fixture = await startHttpServer("streamable");
  onTestFinished(fixture.close);
  const server = ["--server", `shop=${fixture.url}`, "--protocol", "2026-07-28"];
  const { code, stderr } = await runHere(["tools", ...server]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^toolrail: .*"shop": .*cannot be connected: .*\n$/);
});

it("--protocol names a known revision.", async () => {
  const { code, stderr } = await runHere(["tools", "--server", "a=x", "--protocol", "2027-01-01"]);
  expect(code).toBe(2);
  expect(stderr).toContain("2025-11-25, 2026-07-28");
});
