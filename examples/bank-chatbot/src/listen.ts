import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the server does not carry out, with the HTTP status of the reason. */
export class RefusedRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves HTTP on the loopback address, to loopback hosts and pages alone. The address ends in a slash. */
export async function listen(handle: Handler, port = 0) {
  const http = createServer(async (request, response) => {
    try {
      if (!isLoopback(request)) throw new RefusedRequest(403, "Only loopback pages may call.");
      await handle(request, response);
    } catch (error) {
      const [status, message] =
        error instanceof RefusedRequest
          ? [error.status, error.message]
          : [500, "Something went wrong."];
      if (response.headersSent) response.destroy();
      else sendJson(response, { error: message }, status);
    }
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, close };
}

export function sendJson(response: ServerResponse, body: object, status = 200): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** A page elsewhere whose name is rebound to 127.0.0.1 fails here. */
function isLoopback({ headers: { host, origin = "http://localhost" } }: IncomingMessage): boolean {
  return [`http://${host}`, origin].every(
    (url) =>
      URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname),
  );
}
