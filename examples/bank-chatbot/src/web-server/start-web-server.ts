import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createUIMessageStream, pipeUIMessageStreamToResponse } from "ai";
import { isLoopbackRequest } from "../server/loopback.ts";
import { parseThreadBody, parseTurnBody, RefusedRequest, readJsonBody } from "./json-body.ts";
import type { PageFiles } from "./page-files.ts";
import type { AppView, BankMessage, RelayMeasure } from "./protocol.ts";
import type { Thread } from "./thread.ts";
import type { Threads } from "./threads.ts";

export interface WebServerOptions {
  readonly threads: Threads;
  readonly page: PageFiles;
  /** For the page to show. */
  readonly app: Pick<AppView, "model" | "hint">;
  /** Runs sentences the relay way. Absent: the page does not offer it. */
  readonly measureRelay?: (sentences: readonly string[]) => Promise<RelayMeasure>;
  /** Default 0: any free port. */
  readonly port?: number;
}

export interface WebServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** Only what the page brings itself may run or be fetched. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SAFETY = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Serves the page and its conversations on the loopback address, to loopback pages alone. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { threads, page, measureRelay, port = 0 } = options;
  const app: AppView = {
    ...options.app,
    modes: threads.modes,
    canMeasureRelay: measureRelay !== undefined,
  };

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLoopbackRequest(request)) throw new RefusedRequest(403, "Only loopback pages may call.");
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, api, kind, id, action, ...rest] = pathname.split("/");
    if (api !== "api") return sendFile(pathname, request, response);
    const target = `${request.method} ${kind}${action ? `/${action}` : ""}`;
    if (rest.length > 0) throw new RefusedRequest(404, "There is no such address.");
    if (target === "GET app") return sendJson(response, 200, app);
    if (target === "POST threads" && !id) {
      const thread = threads.create(parseThreadBody(await readJsonBody(request)).mode);
      if (!thread) throw new RefusedRequest(400, "This mode is not available.");
      return sendJson(response, 201, { id: thread.id });
    }
    const thread = threads.find(id ?? "");
    if (!thread) throw new RefusedRequest(404, "There is no such conversation.");
    switch (target) {
      case "GET threads":
        return sendJson(response, 200, await thread.view());
      case "POST threads/turns":
        return takeTurn(thread, request, response);
      case "POST threads/stop":
        await readJsonBody(request);
        thread.stop();
        return sendJson(response, 200, {});
      case "POST threads/relay":
        await readJsonBody(request);
        if (!measureRelay) throw new RefusedRequest(404, "The relay way cannot be run here.");
        return sendJson(response, 200, await measureRelay(thread.sentences()));
      default:
        throw new RefusedRequest(404, "There is no such address.");
    }
  }

  async function sendFile(path: string, request: IncomingMessage, response: ServerResponse) {
    if (request.method !== "GET") throw new RefusedRequest(405, "Use GET.");
    const file = await page.find(path);
    if (!file) throw new RefusedRequest(404, "There is no such page.");
    const cache = file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, { ...SAFETY, "content-type": file.type, "cache-control": cache });
    response.end(file.body);
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      const refused = error instanceof RefusedRequest;
      const status = refused ? error.status : 500;
      const message = refused ? error.message : "Something went wrong.";
      if (response.headersSent) response.destroy();
      else sendJson(response, status, { error: message });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${actual}/`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The turn runs to its end whether or not the page goes on listening. */
async function takeTurn(
  thread: Thread,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { messageId, input } = parseTurnBody(await readJsonBody(request));
  const stream = createUIMessageStream<BankMessage>({
    async execute({ writer }) {
      await thread.take(messageId, input, (chunk) => writer.write(chunk));
    },
    onError: () => "Something went wrong.",
  });
  await pipeUIMessageStreamToResponse({
    response,
    stream,
    headers: { "cache-control": "no-store" },
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, { ...SAFETY, ...headers }).end(JSON.stringify(body));
}
