import { createHost, modelView } from "@toolrail/core";
import { type CompareOptions, compare } from "../compare.ts";
import { HOST, STRUCTURED } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { connectInMemory } from "../servers/connect.ts";
import { newText } from "../servers/new-text.ts";
import { ACCOUNT } from "../servers/tools.ts";
import { ratioOf } from "../spread.ts";

const properties = { items: { type: "array", items: ACCOUNT } };

/** A thousand records, as structured content and as its text: what checking them takes, and what a model reads. */
export async function measureStructured({ forMs }: CompareOptions): Promise<Row[]> {
  const items = Array.from({ length: 1_000 }, (_, at) => {
    return { id: `account-${at}`, balance: at * 1.5, note: "x".repeat(60) };
  });
  const toResult = () => {
    const structuredContent = { items: [{ ...items[0], note: newText(60) }, ...items.slice(1)] };
    const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
    return { content, structuredContent };
  };
  const { client, close } = await connectInMemory({
    records: {
      definition: { outputSchema: { type: "object", properties } },
      answer: toResult,
    },
  });
  const host = await createHost({ servers: { bench: { client, shared: true } } });
  const run = async () => modelView(await host.run({ tool: "bench.records" }));
  const place = { group: STRUCTURED, unit: "x" } as const;
  const runs = { raw: () => client.callTool({ name: "records", arguments: {} }), ours: run };
  const timed = await remeasure(async () => {
    const { raw, ours } = await compare(runs, { forMs });
    return rowsOf({ ...place, at: "over callTool" }, { [HOST]: ratioOf(ours, raw) });
  });
  const blocks = (await run()).content;
  const read = blocks.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  await close();
  const share = read / JSON.stringify({ items }).length;
  return [...timed, ...rowsOf({ ...place, at: "characters read" }, { [HOST]: share })];
}
