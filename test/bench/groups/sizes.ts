import { type CompareOptions, compare, type Timed } from "../compare.ts";
import * as names from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { callersOf } from "../servers/callers.ts";
import { TRANSPORTS } from "../servers/connect.ts";
import { newText } from "../servers/new-text.ts";
import { ratioOf } from "../spread.ts";
import { collectOnce } from "./memory-kept.ts";

export const SIZES = { "1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000 };

interface Place {
  readonly tool: string;
  args(): Readonly<Record<string, unknown>>;
  /** What is so large is garbage that would be collected in the turns of others. */
  readonly isLarge?: boolean;
}

const page = (length: number) => ({ tool: "page", args: () => ({ length }) });
const PLACES: Readonly<Record<string, Place>> = {
  echo: { tool: "say", args: () => ({ text: newText(20) }) },
  "1 KB": page(SIZES["1 KB"]),
  "100 KB": page(SIZES["100 KB"]),
  "100 KB, structured too": { tool: "record", args: () => ({ length: SIZES["100 KB"] }) },
  "1 MB": { ...page(SIZES["1 MB"]), isLarge: true },
};

/** One call of a tool that answers with a new text of each size, over this transport. */
export async function measureSizes(
  transport: keyof typeof TRANSPORTS,
  { forMs }: CompareOptions,
): Promise<Row[]> {
  const connection = await TRANSPORTS[transport]();
  const rows: Row[] = [];
  for (const [at, { tool, args, isLarge }] of Object.entries(PLACES)) {
    const before = isLarge ? collectOnce : undefined;
    const callers = await callersOf(connection, tool, args);
    const measured = await remeasure(async () => {
      const timed = await compare(callers, { forMs: forMs * 2, before });
      return [
        ...rowsOf({ group: names.OVER_RAW[transport], at, unit: "x" }, overRaw(timed)),
        ...rowsOf({ group: names.OVER_PEER[transport], at, unit: "x" }, overPeers(timed)),
      ];
    });
    rows.push(...measured);
  }
  await connection.close();
  return rows;
}

type Calls = Timed<keyof Awaited<ReturnType<typeof callersOf>>>;

function overRaw({ raw, ...others }: Calls) {
  const ratios = Object.entries(others).map(([who, us]) => [who, ratioOf(us, raw)] as const);
  return Object.fromEntries(ratios);
}

function overPeers(timed: Calls) {
  return {
    [names.LANGGRAPH_PEER]: ratioOf(timed[names.LANGGRAPH], timed[names.MCP_ADAPTERS]),
    [names.AI_SDK_PEER]: ratioOf(timed[names.AI_SDK], timed[names.AI_SDK_MCP]),
    [names.AI_SDK_HAND]: ratioOf(timed[names.AI_SDK], timed[names.BY_HAND]),
  };
}
