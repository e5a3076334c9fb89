import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type SessionServer, startSessionServer } from "./session-server.ts";

/** Answers a call that the server has executed, in place of the server. */
export type Fault = (response: ServerResponse, answer: string) => unknown;

/** A gateway over HTTP in front of a real server. It passes everything on, and the answers to calls only if it has no fault. */
export interface Gateway {
  readonly url: URL;
  readonly server: SessionServer;
  /** The fault of the next calls. */
  fault: Fault | undefined;
  /** The number of calls that the server has executed. */
  executed(): number;
}

/** With `hidesSession`, clients see a server without sessions. */
export async function startGateway({ hidesSession = false } = {}): Promise<Gateway> {
  const server = await startSessionServer();
  let hidden: string | undefined;
  const http = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = new Headers({ "content-type": "application/json" });
    for (const name of ["accept", "mcp-session-id", "mcp-protocol-version"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const isCall = body.includes('"tools/call"');
    if (hidesSession && request.method === "GET") return response.writeHead(405).end();
    if (hidesSession && hidden && !body.includes('"initialize"')) {
      headers.set("mcp-session-id", hidden);
    }
    const { method = "GET" } = request;
    if (method === "GET") return response.writeHead(405).end();
    // A request that a client sends while its test ends finds no server any more.
    const answer = await fetch(server.url, { method, headers, body }).catch(() => undefined);
    if (!answer) return response.destroy();
    const text = await answer.text();
    if (isCall && gateway.fault) return gateway.fault(response, text);
    const session = answer.headers.get("mcp-session-id");
    if (hidesSession) hidden = session ?? hidden;
    else if (session) response.setHeader("mcp-session-id", session);
    response.setHeader("content-type", answer.headers.get("content-type") ?? "text/plain");
    response.writeHead(answer.status).end(text);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const { port } = http.address() as AddressInfo;
  const gateway: Gateway = {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    server,
    fault: undefined,
    executed: () => server.seen().calls,
  };
  return gateway;
}

const JSON_TYPE = { "content-type": "application/json" };
const STREAM = { "content-type": "text/event-stream" };

function status(code: number, text = "nobody knows", type = "text/plain"): Fault {
  return (response) => response.writeHead(code, { "content-type": type }).end(text);
}

/** What a gateway may make of the answer to a call that was executed. */
export const faults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    [400, 403, 405, 408, 409, 429].map((code) => [`a status ${code}`, status(code)]),
  ),
  ...Object.fromEntries(
    [500, 502, 503, 504, 529].map((code) => [`a status ${code}`, status(code)]),
  ),
  "a 400 about a session of its own": status(400, "checkout session expired"),
  "a 400 that says `not initialized`": status(400, "Bad Request: Server not initialized"),
  "a redirect": (response) => response.writeHead(302, { location: "/login" }).end(),
  "an error page": status(200, "<html>busy</html>", "text/html"),
  "an error page with status 502": status(502, "<html>busy</html>", "text/html"),
  "an empty body": status(200, "", "application/json"),
  "half a JSON": (response, answer) => {
    return response.writeHead(200, JSON_TYPE).end(answer.slice(0, answer.length / 2));
  },
  "JSON that is no message": status(200, '{"ok":true}', "application/json"),
  "a cut socket": (response) => response.socket?.destroy(),
  "a cut body": (response, answer) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": answer.length });
    response.write(answer.slice(0, 9), () => response.socket?.destroy());
  },
};

/** Faults that clients do not notice: they wait until the time is up. */
export const silentFaults: Readonly<Record<string, Fault>> = {
  silence: () => {},
  "a stream that is cut": (response) => {
    response.writeHead(200, STREAM).write(": wait\n\n", () => response.socket?.destroy());
  },
  "a stream that ends without an answer": (response) => {
    response.writeHead(200, STREAM).end(": nothing\n\n");
  },
  "a stream of half an answer": (response, answer) => {
    response.writeHead(200, STREAM).end(`data: ${answer.slice(0, 20)}\n\n`);
  },
  "a 202 without an answer": status(202, ""),
  "the answer to another request": (response, answer) => {
    const { result } = JSON.parse(answer) as { result: object };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: "2.0", id: 9_999, result }));
  },
};
