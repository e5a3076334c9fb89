import type { IncomingMessage } from "node:http";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether the request was made to a loopback name and, where a browser made it, by a loopback page.
 * A page elsewhere whose name is rebound to 127.0.0.1 fails here.
 */
export function isLoopbackRequest({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  return (
    host !== undefined &&
    isLoopbackUrl(`http://${host}`) &&
    (origin === undefined || isLoopbackUrl(origin))
  );
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname);
}
