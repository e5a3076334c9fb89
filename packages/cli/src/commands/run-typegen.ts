import { writeFile } from "node:fs/promises";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { whyNoFile } from "../read-input.ts";
import { message } from "../terminal/plain-text.ts";
import { writeModule } from "../typegen/write-module.ts";
import { UsageError } from "../usage-error.ts";
import type { Flags } from "./flags.ts";
import { withHost } from "./with-host.ts";

/** Writes a TypeScript module with types and parsers for the tools of the servers. */
export async function runTypegen(_args: readonly string[], flags: Flags, context: Context) {
  return withHost(flags, context, {}, async ({ host }): Promise<Outcome> => {
    const { tools, problems } = host;
    const { source, untyped } = await writeModule(tools);
    for (const id of untyped) {
      context.stderr.write(
        message(`The schemas of ${id} cannot be written as types; it is unknown.`),
      );
    }
    const { out } = flags;
    if (out !== undefined) await write(out, source);
    const typed = tools.filter(({ outputSchema }) => outputSchema).length;
    return {
      ok: !problems.some(({ code }) => code === "list-failed"),
      document: { tools: tools.length, schemas: typed, untyped, ...(out ? { out } : { source }) },
      text: ({ colours }) =>
        out === undefined
          ? source.trimEnd()
          : `${colours.green("✔")} ${out}: ${tools.length} tools, ${typed} with a parser`,
    };
  });
}

async function write(file: string, source: string): Promise<void> {
  try {
    await writeFile(file, source);
  } catch (cause) {
    throw new UsageError(`--out ${file} cannot be written: ${whyNoFile(cause)}.`, { cause });
  }
}
