import { createHost } from "@toolrail/core";
import { parsePipe, runPipe } from "@toolrail/core/pipe";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { type CompareOptions, compare } from "../compare.ts";
import { STAGES } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { connectInMemory } from "../servers/connect.ts";
import { TOOLS } from "../servers/tools.ts";
import { ratioOf } from "../spread.ts";

const ITEMS = 8;
const STEPS = 4;
const LONG_MS = 96;
const SHORT_MS = 12;

/**
 * Items that go through the same stages, and are slow in a different one each: where every item waits for the slowest
 * before any goes on, this takes almost three times as long.
 */
export async function measureStages({ forMs }: CompareOptions): Promise<readonly Row[]> {
  const { client, close } = await connectInMemory({ work: TOOLS.work }, { json: false });
  const host = await createHost({ servers: { web: { client, shared: true } } });
  const parallel = Array.from({ length: ITEMS }, (_, item) => {
    const steps = Array.from({ length: STEPS }, (__, at) => {
      return { id: `s${at}`, tool: "work", args: { ms: at === item % STEPS ? LONG_MS : SHORT_MS } };
    });
    return { id: `i${item}`, pipe: { steps } };
  });
  const spec = parsePipe(host, {
    spec: { steps: [{ id: "all", parallel }] },
  });
  const graph = compilePipe(host, { spec });
  const runs = { core: () => runPipe(host, { spec }), compiled: () => graph.invoke({}) };
  const at = `${ITEMS} items, ${STEPS} steps each`;
  const rows = await remeasure(async () => {
    const { core, compiled } = await compare(runs, { forMs });
    return rowsOf({ group: STAGES, at, unit: "x" }, { compilePipe: ratioOf(compiled, core) });
  });
  await close();
  return rows;
}
