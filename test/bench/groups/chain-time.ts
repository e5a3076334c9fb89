import { createHost } from "@toolrail/core";
import { type CompareOptions, compare } from "../compare.ts";
import { CHAIN_TIME, HOST } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { TRANSPORTS } from "../servers/connect.ts";
import { ratioOf } from "../spread.ts";

/** A chain that the host follows, and the same calls made one after the other by hand. */
export async function measureChainTime({ forMs }: CompareOptions): Promise<Row[]> {
  const { client, close } = await TRANSPORTS.stdio();
  const host = await createHost({ servers: { bench: { client, shared: true } } });
  const rows: Row[] = [];
  for (let calls = 1; calls <= 5; calls++) {
    const { byHand, chain } = await compare(
      {
        async byHand() {
          for (let left = calls; left > 0; left--) {
            await client.callTool({ name: "hop", arguments: { left } });
          }
        },
        chain: () => host.run({ tool: "bench.hop", arguments: { left: calls } }),
      },
      { forMs },
    );
    const at = `${calls} ${calls === 1 ? "call" : "calls"}`;
    rows.push(...rowsOf({ group: CHAIN_TIME, at, unit: "x" }, { [HOST]: ratioOf(chain, byHand) }));
  }
  await close();
  return rows;
}
