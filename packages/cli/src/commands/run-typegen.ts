import { writeFile } from "node:fs/promises";
import type { CommandCall, Outcome } from "../command.ts";
import { whyNoFile } from "../read-input.ts";
import { message } from "../terminal/plain-text.ts";
import { writeModule } from "../typegen/write-module.ts";
import { UsageError } from "../usage-error.ts";
import { withHost } from "./with-host.ts";

/** Writes a TypeScript module with types and parsers for the tools of the servers. */
export async function runTypegen({ flags, context }: CommandCall): Promise<Outcome> {
  const { out } = flags;
  return withHost({ flags, context }, async ({ host: { tools }, isComplete }) => {
    const { source, untyped } = await writeModule(tools);
    for (const id of untyped) {
      const note = `The schemas of ${id} cannot be written: its types are unknown.`;
      context.stderr.write(message(note));
    }
    if (out !== undefined) {
      await writeFile(out, source).catch((cause) => {
        throw new UsageError(`--out ${out} cannot be written: ${whyNoFile(cause)}.`, { cause });
      });
    }
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
