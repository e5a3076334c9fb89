import { createValidator } from "#validator";
import { ToolrailError } from "../errors.ts";
import type { CallRequest } from "../host/call-request.ts";
import { checkArguments, createSchemaChecks } from "../host/checks.ts";
import type { Host } from "../host/create-host.ts";
import { resolveLimits } from "../host/limits.ts";
import type { HostTool, ToolName } from "../host/tool.ts";
import type { JsonObject } from "../json.ts";
import { checkPipe } from "../pipe/parse-pipe.ts";
import { callPipe } from "./call-pipe.ts";

/** A pipe that the operator wrote, offered as one tool. */
export interface GuardedPipe {
  readonly description: string;
  /** The spec. The arguments of the tool take the place of its `vars`. */
  readonly spec: unknown;
  /** What the tool takes. Default: nothing. */
  readonly inputSchema?: JsonObject;
}

/** Pipes by the name that models see. On the allowlist they stand as `pipe.NAME`. */
export type GuardedPipes = { readonly [name: string]: GuardedPipe };

const SERVER = "pipe";
const NOTHING: JsonObject = { type: "object", properties: {}, additionalProperties: false };

/**
 * A host with pipes beside its tools. A call of one runs all its steps, each through the door, and no
 * `nextTool` of a step is followed. The hop's `_meta.pipe` is the whole `PipeResult`. Throws
 * `invalid-options` for a name that models cannot use or that is taken.
 */
export function addPipes(host: Host, pipes: GuardedPipes): Host {
  const checks = createSchemaChecks(createValidator());
  const limits = resolveLimits();
  const tools = Object.entries(pipes).map(([name, pipe]) => toTool(host, name, pipe));
  const findPipe = (name: ToolName) => tools.find((tool) => isMeant(tool, name));
  const defectOf = (request: CallRequest): ToolrailError | undefined => {
    const tool = findPipe(request.tool);
    if (!tool) return host.checkArguments(request);
    try {
      checkArguments(checks, limits, tool, request.arguments ?? {});
      return undefined;
    } catch (cause) {
      if (ToolrailError.isInstance(cause)) return cause;
      throw cause;
    }
  };
  const own: Pick<Host, "find" | "checkArguments" | "check" | "call" | "nextHop" | "refresh"> = {
    find: (name) => findPipe(name) ?? host.find(name),
    checkArguments: defectOf,
    async check(request, options) {
      const tool = findPipe(request.tool);
      if (!tool) return host.check(request, options);
      const verdict = checkPipe(pipes[tool.name]?.spec, host);
      const error = defectOf(request) ?? (verdict.ok ? undefined : verdict.error);
      return error ? { type: "refuse", error } : { type: "allow" };
    },
    async call(request, options = {}) {
      const tool = findPipe(request.tool);
      const pipe = tool && pipes[tool.name];
      if (!pipe) return host.call(request, options);
      const error = defectOf(request);
      if (error) throw error;
      return callPipe(host, { tool, spec: pipe.spec, args: request.arguments ?? {} }, options);
    },
    nextHop: (hop, before) =>
      hop.server === SERVER ? { type: "end", ended: "complete" } : host.nextHop(hop, before),
    refresh: (server) => host.refresh(server === SERVER ? undefined : server),
  };
  const described = Object.entries(own).map(([key, value]) => [key, { value }]);
  return Object.create(host, {
    ...Object.fromEntries(described),
    tools: { get: () => [...host.tools, ...tools] },
  }) as Host;
}

function toTool(host: Host, name: string, { description, inputSchema = NOTHING }: GuardedPipe) {
  const id = `${SERVER}.${name}`;
  const isTaken = host.tools.some((tool) => tool.modelName === name || tool.id === id);
  if (isTaken || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new ToolrailError(
      "invalid-options",
      `pipes.${name} ${isTaken ? "has the name of a tool" : "is no name that models can use"}; rename it.`,
    );
  }
  return { server: SERVER, name, id, modelName: name, description, inputSchema, forModel: true };
}

function isMeant({ server, name, id }: HostTool, asked: ToolName): boolean {
  if (typeof asked === "string") return asked === id || asked === name;
  return asked.server === server && asked.name === name;
}
