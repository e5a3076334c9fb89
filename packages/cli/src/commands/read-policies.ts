import type { HostOptions, Policy } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { askUnlessFrom, askWhenFrom, denyWhenFrom, sources } from "@toolrail/plugins/sources";
import type { Flags } from "../command.ts";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";

const POLICIES = { askUnlessFrom, askWhenFrom, denyWhenFrom };

export const SCOPE = "toolrail";

/** Reads the file of `--policy`: policies by their names, with their options and `from`. Throws `UsageError`. */
export async function readPolicies({ policy: file }: Flags): Promise<Partial<HostOptions>> {
  if (file === undefined) return {};
  return toPolicies(await readJsonFile(file, "The policy"), `The policy ${file}`);
}

/** Creates the options of a host from policies by their names. Throws `UsageError`, which begins with `place`. */
export function toPolicies(given: JsonObject, place: string): Partial<HostOptions> {
  const authorize = Object.entries(given).map(([name, options]): Policy => {
    if (!Object.hasOwn(POLICIES, name)) {
      const known = Object.keys(POLICIES).join(", ");
      throw new UsageError(`${place} names "${name}"; use one of: ${known}.`);
    }
    const { from, ...rest } = Object(options);
    return POLICIES[name as keyof typeof POLICIES](from, rest);
  });
  return { use: [sources()], authorize };
}
