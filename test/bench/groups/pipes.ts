import type { Host } from "@toolrail/core";
import { parsePipe, runPipe } from "@toolrail/core/pipe";
import { type CompareOptions, compare } from "../compare.ts";
import { PIPE } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { ratioOf } from "../spread.ts";
import { openEcho, specOf, stepsOf } from "./pipe-spec.ts";

/** What the steps are by hand: a call, and its field for the next. */
async function byHand(host: Host, steps: number): Promise<unknown> {
  let v: unknown = "x";
  for (let at = 0; at < steps; at++) {
    const { hops } = await host.run({ tool: "web.echo", arguments: { v } });
    const value = hops[0]?.result.structuredContent as { v: unknown } | undefined;
    v = value?.v;
  }
  return v;
}

/** Pipes of one to fifty steps, parsed before, and their steps as awaits. */
export async function measurePipes({ forMs }: CompareOptions): Promise<Row[]> {
  const host = await openEcho();
  const rows: Row[] = [];
  for (const steps of [1, 2, 5, 10, 20, 50]) {
    const spec = parsePipe(host, { spec: specOf(steps) });
    const runs = { hand: () => byHand(host, steps), pipe: () => runPipe(host, { spec }) };
    const measured = await remeasure(async () => {
      const { hand, pipe } = await compare(runs, { forMs });
      const place = { group: PIPE, at: stepsOf(steps), unit: "x" } as const;
      return rowsOf(place, { runPipe: ratioOf(pipe, hand) });
    });
    rows.push(...measured);
  }
  return rows;
}
