import type { CommandCall, Outcome } from "../command.ts";
import { writeText } from "../read-input.ts";
import { message } from "../terminal/plain-text.ts";
import { writeModule } from "../typegen/write-module.ts";
import { withHost } from "./with-host.ts";

export async function runTypegen({ flags, context }: CommandCall): Promise<Outcome> {
  const { out } = flags;
  return withHost({ flags, context }, async ({ host: { tools }, isComplete }) => {
    const { source, untyped } = await writeModule(tools);
    for (const id of untyped) {
      const note = `The schemas of ${id} cannot be written: its types are unknown.`;
      context.stderr.write(message(note));
    }
    if (out !== undefined) await writeText(out, { text: source, what: "--out" });
    const schemas = tools.filter(({ outputSchema }) => outputSchema).length;
    return {
      ok: isComplete,
      document: { tools: tools.length, schemas, untyped, ...(out ? { out } : { source }) },
      text: ({ colours }) =>
        out === undefined
          ? source.trimEnd()
          : `${colours.green("✔")} ${out}: ${tools.length} tools, ${schemas} with a parser`,
    };
  });
}
