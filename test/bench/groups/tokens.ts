import { carryPage } from "../../../examples/research-pipe/src/carry/carry-page.ts";
import { FRAMEWORKS } from "../../../examples/research-pipe/src/carry/frameworks.ts";
import { TOKENS } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";

const WAYS = { "as a pipe": "piped", "by reference": "by reference" } as const;

/** What it costs a model to carry a page of 100 KB, on the wire of a provider. */
export async function measureTokens(): Promise<Row[]> {
  const counted: Record<string, number> = {};
  for (const framework of Object.keys(FRAMEWORKS)) {
    for (const [name, way] of Object.entries(WAYS)) {
      const { tokens, isWhole } = await carryPage(framework, { way, length: 100_000 });
      if (!isWhole) throw new Error(`${framework} did not carry the page whole ${name}.`);
      counted[`${framework}, ${name}`] = tokens;
    }
  }
  return rowsOf({ group: TOKENS, at: "100 KB", unit: "tokens" }, counted);
}
