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

export interface Listening {
  /** Ends in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves HTTP on the loopback address, to loopback hosts and pages alone. Port 0 is any free port. */
export async function listen(handle: Handler, port = 0): Promise<Listening> {
  const http = createServer(async (request, response) => {
    try {
      if (!isLoopbackRequest(request)) {
        throw new RefusedRequest(403, "Only loopback hosts and pages may call.");
      }
      await handle(request, response);
    } catch (cause) {
      const { status, message: error } =
        cause instanceof RefusedRequest ? cause : { status: 500, message: "Something went wrong." };
      if (response.headersSent) response.destroy();
      else sendJson(response, { status, body: { error } });
    }
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  { status, body }: { readonly status: number; readonly body: object },
): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** A page elsewhere whose name is rebound to 127.0.0.1 fails here. */
function isLoopbackRequest({ headers: { host, origin } }: IncomingMessage): boolean {
  const isLoopback = (url: string) => URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname);
  return isLoopback(`http://${host}`) && (origin === undefined || isLoopback(origin));
}
