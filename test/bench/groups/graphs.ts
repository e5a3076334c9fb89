import { compilePipe } from "@toolrail/langgraph/pipe";
import { type CompareOptions, compare } from "../compare.ts";
import { GRAPH } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { ratioOf } from "../spread.ts";
import { buildByHand } from "./graph-by-hand.ts";
import { openEcho, specOf, stepsOf } from "./pipe-spec.ts";

/** Graphs that are compiled from a spec, and the same graphs as one writes them. */
export async function measureGraphs({ forMs }: CompareOptions): Promise<Row[]> {
  const host = await openEcho();
  const rows: Row[] = [];
  for (const steps of [1, 5, 10, 20, 50]) {
    const spec = compilePipe(host, { spec: specOf(steps) });
    const hand = buildByHand(host, steps);
    const runs = {
      hand: () => hand.invoke({}, { recursionLimit: 100 }),
      spec: () => spec.invoke({}),
    };
    const measured = await remeasure(async () => {
      const timed = await compare(runs, { forMs });
      const place = { group: GRAPH, at: stepsOf(steps), unit: "x" } as const;
      return rowsOf(place, { compilePipe: ratioOf(timed.spec, timed.hand) });
    });
    rows.push(...measured);
  }
  return rows;
}
