import { type CompareOptions, compare } from "../compare.ts";
import { OVER_RAW } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { callersOf } from "../servers/callers.ts";
import { TRANSPORTS } from "../servers/connect.ts";
import { ratioOf } from "../spread.ts";
import { collectOnce } from "./memory-kept.ts";

export const SIZES = { "1 KB": 1_000, "100 KB": 100_000, "1 MB": 1_000_000 } as const;

/** One call of a tool that answers with a text of each size, over this transport. */
export async function measureSizes(
  transport: keyof typeof TRANSPORTS,
  { forMs }: CompareOptions,
): Promise<Row[]> {
  const connection = await TRANSPORTS[transport]();
  const rows: Row[] = [];
  for (const [at, length] of Object.entries(SIZES)) {
    const { raw, others } = await callersOf(connection, "page", { length });
    // What is so large is garbage that would be collected in the turns of others.
    const before = length < 1_000_000 ? undefined : collectOnce;
    const timed = await compare<string>({ raw, ...others }, { forMs: forMs * 2, before });
    const { raw: rawUs = [], ...rest } = timed;
    const ratios = Object.entries(rest).map(([who, us]) => [who, ratioOf(us, rawUs)] as const);
    rows.push(...rowsOf({ group: OVER_RAW[transport], at, unit: "x" }, Object.fromEntries(ratios)));
  }
  await connection.close();
  return rows;
}
