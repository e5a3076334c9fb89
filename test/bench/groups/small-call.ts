import { type CompareOptions, compare } from "../compare.ts";
import { ADDED } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { callersOf } from "../servers/callers.ts";
import { connectInMemory } from "../servers/connect.ts";
import { differenceOf } from "../spread.ts";

/** What the host asks of a client: progress keeps a call alive, up to a limit. */
const AS_THE_HOST = {
  timeout: 60_000,
  maxTotalTimeout: 300_000,
  resetTimeoutOnProgress: true,
  onprogress: () => {},
};

/** Microseconds are compared here, so that all code must have been compiled first, in a quick run too. */
const LEAST_MS = 6_000;

/** One call with a small result, with all checks on: what each adds to the SDK's own `callTool`. */
export async function measureSmallCall({ forMs }: CompareOptions): Promise<Row[]> {
  const connection = await connectInMemory();
  const args = { id: "acc-1", balance: 1 };
  const { host, raw, others } = await callersOf(connection, "account", args);
  const call = { name: "account", arguments: args };
  const timed = await compare(
    {
      raw,
      "callTool with the host's options": () =>
        connection.client.callTool(call, undefined, AS_THE_HOST),
      "host.call": () => host.call({ tool: "bench.account", arguments: args }),
      ...others,
    },
    { forMs: Math.max(forMs * 3, LEAST_MS) },
  );
  await connection.close();
  const { raw: rawUs, ...rest } = timed;
  const added = Object.entries(rest).map(([who, us]) => [who, differenceOf(us, rawUs)] as const);
  return rowsOf({ group: ADDED, at: "small result", unit: "µs" }, Object.fromEntries(added));
}
