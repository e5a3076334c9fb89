import { vi } from "vitest";

const V2 = ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"];
const V1 = ["index", "streamableHttp", "sse", "stdio"].map(
  (name) => `@modelcontextprotocol/sdk/client/${name}.js`,
);

/** What may be installed, and what is then missing. */
export const sdks = [
  { name: "@modelcontextprotocol/client", missing: V1 },
  { name: "@modelcontextprotocol/sdk", missing: V2 },
] as const;

export const allMissing = [...V1, ...V2];

/** Takes packages away as if they were not installed, until `vi.unmockAll` or the end of the file. */
export function takeAway(missing: readonly string[]): void {
  for (const name of missing) {
    vi.doMock(name, () => {
      throw new Error(`Cannot find package '${name}'`);
    });
  }
}

export function bringBack(missing: readonly string[]): void {
  for (const name of missing) vi.doUnmock(name);
}
