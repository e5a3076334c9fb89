import { audience, type HostOptions } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { fromConfig } from "@toolrail/core/connect";
import type { OptionTable } from "@toolrail/core/internal";
import type { SingleStepOptions } from "@toolrail/guard";
import { type JsonObject, messageOf } from "@toolrail/json";
import { type ReferencesOptions, references } from "@toolrail/plugins/references";
import { type Rule, rules } from "@toolrail/plugins/rules";
import type { ServeHostOptions } from "@toolrail/server";
import { singleStep } from "@toolrail/server/guard";
import { pipeTool, type ServedPipeToolOptions } from "@toolrail/server/pipe";
import { toPolicies } from "../commands/read-policies.ts";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";

/** A host in a configuration file. Its JSON Schema is `host.schema.json`. */
export interface HostConfig {
  readonly $schema?: string;
  /** The servers, as in other MCP clients. */
  readonly mcpServers: { readonly [name: string]: object };
  /** The tools that may be called. */
  readonly allow?: readonly string[];
  /** The tools that clients are offered. */
  readonly tools?: readonly string[];
  /** The tools that need a person's approval. */
  readonly requireApproval?: readonly string[];
  /** The calls that follow results. */
  readonly rules?: readonly Rule[];
  /** The audience of tools whose server sends none. */
  readonly audience?: Parameters<typeof audience>[0]["tools"];
  readonly releases?: readonly string[];
  /** True, or the options, to keep long results from models. */
  readonly references?: boolean | ReferencesOptions;
  /** Policies by source, as in the file of `--policy`. */
  readonly policies?: JsonObject;
  /** True, or the options, for the tool with which a client's model writes pipes. */
  readonly pipe?: boolean | PipeConfig;
  /** The single-step guard, which replaces chains. */
  readonly guard?: SingleStepOptions;
  readonly limits?: NonNullable<HostOptions["limits"]>;
}

/** The options of `mcp_pipe`. */
type PipeConfig = Omit<ServedPipeToolOptions, "onResult">;

export const HOST_CONFIG: OptionTable<HostConfig> = {
  $schema: "text",
  mcpServers: "object",
  allow: "texts",
  tools: "texts",
  requireApproval: "texts",
  rules: "list",
  audience: "object",
  releases: "texts",
  references: ["boolean", "object"],
  policies: "object",
  pipe: ["boolean", "object"],
  guard: "object",
  limits: "object",
};

const checkConfig = /* @__PURE__ */ createOptionCheck<HostConfig>("The file", HOST_CONFIG);

/**
 * Reads a host's options and the tools for clients from a file. Throws `UsageError`, which names the file and the place in it.
 */
export async function readHostConfig(
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly options: HostOptions; readonly offered: ServeHostOptions }> {
  const config = (await readJsonFile(file, "--config")) as unknown as HostConfig;
  try {
    checkConfig(config);
    if (config.mcpServers === undefined) throw new Error('It has no "mcpServers": { … }.');
    return toOptions(config, env);
  } catch (cause) {
    throw new UsageError(`${file}: ${messageOf(cause)}`, { cause });
  }
}

function toOptions(config: HostConfig, env: NodeJS.ProcessEnv) {
  const {
    $schema: _,
    mcpServers,
    tools,
    requireApproval,
    rules: list,
    policies,
    references: kept = false,
    pipe = false,
    guard,
    audience: readers,
    releases,
    ...rest
  } = config;
  const audiences = audience({ ...(readers && { tools: readers }), ...(releases && { releases }) });
  const { use, authorize } = policies ? toPolicies(policies, "policies") : { use: [] };
  const options: HostOptions = {
    ...rest,
    ...(authorize && { authorize }),
    ...(requireApproval && { requireApproval }),
    use: [
      audiences,
      ...use,
      ...(kept ? [references(kept === true ? {} : kept)] : []),
      ...(list ? [rules(list)] : []),
    ],
    servers: fromConfig({ mcpServers }, { env }),
  };
  const offered: ServeHostOptions = {
    ...(tools && { tools }),
    ...(pipe && { pipe: pipeTool(pipe === true ? {} : pipe) }),
    ...(guard && { guard: singleStep(guard) }),
  };
  if (pipe && guard)
    throw new Error('It has both "pipe" and "guard": a guarded query makes one call.');
  return { options, offered };
}
