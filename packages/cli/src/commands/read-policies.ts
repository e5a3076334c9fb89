import type { HostOptions, Policy } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { askUnlessFrom, askWhenFrom, denyWhenFrom, sources } from "@toolrail/plugins/sources";
import type { Flags } from "../command.ts";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";

const POLICIES = { askUnlessFrom, askWhenFrom, denyWhenFrom };

/** The conversation of all calls of a command line. */
export const CONVERSATION = "toolrail";

/** Reads the file of `--policy`: policies by their names, with their options and `from`. Throws `UsageError`. */
export async function readPolicies({ policy: file }: Flags): Promise<Partial<HostOptions>> {
  if (file === undefined) return {};
  return toPolicies(await readJsonFile(file, "The policy"), `The policy ${file}`);
}

/** Creates policies by their names, and the plugin that they need. Throws `UsageError`, which begins with `place`. */
function toPolicies(policies: JsonObject, place: string) {
  const known = Object.keys(POLICIES).join(", ");
  const authorize = Object.entries(policies).map(([name, options]): Policy => {
    if (!Object.hasOwn(POLICIES, name))
      throw new UsageError(`${place} names "${name}"; use one of: ${known}.`);
    const { from, ...rest } = Object(options);
    return POLICIES[name as keyof typeof POLICIES](from, rest);
  });
  if (authorize.length === 0)
    throw new UsageError(`${place} names no policy; use one of: ${known}.`);
  return { use: [sources()], authorize };
}
