import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { type BankStore, createBankStore } from "../../src/bank-store.ts";
import { createBankServer } from "../../src/bank-tools.ts";
import { serveHttp } from "../../src/server/serve-http.ts";

/**
 * A bank server that dies on command, at a call, and comes back with the same books. While it is dead its
 * port resets every connection: one that was given back might be another's when it is wanted again.
 */
export interface MortalBank {
  readonly url: URL;
  readonly store: BankStore;
  /** Dies when the tool is called: before it has run, or after, with the answer unsent. */
  dieAt(tool: string, when: "before" | "after"): void;
  /** Never answers the next call of the tool; resolves when it has come. */
  hangAt(tool: string): Promise<void>;
  /** Starts a new process, so to say: the sessions of the old one are unknown. */
  revive(): Promise<void>;
  /** The request `_meta` of every tools/list and tools/call. */
  readonly metas: readonly unknown[];
  /** Names of the tools that were called, in order. */
  readonly calls: readonly unknown[];
  close(): Promise<void>;
}

export async function startMortalBank(): Promise<MortalBank> {
  const store = createBankStore({ newId: randomUUID });
  const metas: unknown[] = [];
  const calls: unknown[] = [];
  let isDead = false;
  let serving = await serveHttp(() => createBankServer(store), 0);
  let fate: { readonly tool: string; readonly when: "before" | "after" } | undefined;

  let hung: { readonly tool: string; readonly onCall: () => void } | undefined;

  const front = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  front.on("connection", (socket) => {
    if (isDead) socket.resetAndDestroy();
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, params } = parse(body);
    if (method === "tools/list" || method === "tools/call") metas.push(params?._meta);
    if (method === "tools/call") calls.push(params?.name);
    if (method === "tools/call" && hung && params?.name === hung.tool) {
      hung.onCall();
      hung = undefined;
      return;
    }
    const isFatal = method === "tools/call" && params?.name === fate?.tool;
    if (isFatal && fate?.when === "before") return die();
    const answer = await fetch(serving.url, {
      method: request.method ?? "GET",
      headers: toHeaders(request),
      ...(body && { body }),
    });
    if (isFatal) {
      await answer.text();
      return die();
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return void response.end();
    const stream = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
    stream.on("error", () => response.destroy()).pipe(response);
  }

  async function die(): Promise<void> {
    fate = undefined;
    isDead = true;
    front.closeAllConnections();
    await serving.close();
  }

  await new Promise<void>((resolve, reject) => {
    front.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = front.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    store,
    metas,
    calls,
    dieAt(tool, when) {
      fate = { tool, when };
    },
    hangAt: (tool) =>
      new Promise((resolve) => {
        hung = { tool, onCall: resolve };
      }),
    async revive() {
      serving = await serveHttp(() => createBankServer(store), 0);
      isDead = false;
    },
    async close() {
      await die();
      front.close();
      store.close();
    },
  };
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: unknown };
}

function parse(body: string): Message {
  return body ? (JSON.parse(body) as Message) : {};
}

function toHeaders({ headers }: IncomingMessage): Record<string, string> {
  const own = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && !own.includes(name) ? [[name, value]] : [],
    ),
  );
}
