import type { CompiledRails } from "../chain/compile-rails.ts";
import type { HostOptions } from "./host-options.ts";
import type { createLongResults } from "./long-results.ts";

/** The rails of a host. The expression language is loaded only if there are any, so a page without rails does not pay for it. */
export async function railsOf({ rails }: Pick<HostOptions, "rails">): Promise<CompiledRails> {
  if (rails === undefined) return { calls: [], mayReach: () => false };
  const { compileRails } = await import("../chain/compile-rails.ts");
  return compileRails(rails);
}

export type LongResults = ReturnType<typeof createLongResults>;

/** What keeps long results, loaded only if a host keeps any. */
export async function longResultsOf(
  { references = false }: Pick<HostOptions, "references">,
  parts: Parameters<typeof createLongResults>[1],
): Promise<LongResults | undefined> {
  if (references === false) return undefined;
  const { createLongResults } = await import("./long-results.ts");
  return createLongResults(references === true ? {} : references, parts);
}
