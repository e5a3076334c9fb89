import type { HostParts } from "../call/passage.ts";
import { toToolTest } from "../call/tool-patterns.ts";
import { parserOf } from "../call/value-checks.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import { DESCRIBED_CLIENT, type ServerOption } from "../servers/to-port.ts";
import type { ServerTools } from "../servers/tool-list.ts";
import type { HostPlugin } from "../types/plugin.ts";
import { type NamedTools, RESOURCES, type Tool } from "../types/tool.ts";
import type { Policy } from "../types/tool-call.ts";
import type { ScreenContext, ScreenVerdict } from "../types/tool-screen.ts";
import type {
  ConnectServer,
  DescribedServer,
  HostOptions,
  Server,
  ServerFacts,
} from "./host-options.ts";

export interface NamedServer extends ServerFacts {
  readonly name: string;
  readonly server: ServerOption | ConnectServer;
}

const checkServer = /* @__PURE__ */ createOptionCheck<DescribedServer>("A server", {
  ...DESCRIBED_CLIENT,
  prefix: "boolean",
  nextTool: "list",
  invalidOutput: oneOf("fail", "show"),
});

/** Reads the servers of the options. Throws `invalid-options` if there are none, and for an invalid description. */
export function serversOf({ servers }: Partial<HostOptions>): readonly NamedServer[] {
  const entries = Object.entries(servers ?? {});
  if (entries.length > 0 && entries.every(([name]) => name !== "")) return entries.map(readServer);
  const message = "`servers` needs at least one client or port, by the name of its server.";
  throw new ToolrailError("invalid-options", message);
}

function readServer([name, given]: [string, Server]): NamedServer {
  if (typeof given !== "object" || given === null || !("client" in given)) {
    return { name, server: given };
  }
  checkServer(given, `the server "${name}"`);
  const { prefix, nextTool, invalidOutput, ...described }: DescribedServer = given;
  const { client, kind, shared } = described;
  const facts = {
    name,
    ...(prefix !== undefined && { prefix }),
    ...(nextTool && { nextTool }),
    ...(invalidOutput && { invalidOutput }),
  };
  if (typeof client !== "function") return { ...facts, server: { ...described, client } };
  if (kind === undefined && shared === undefined) return { ...facts, server: client };
  const message = `The function that connects the server "${name}" must itself return \`kind\` and \`shared\`: { client, shared: true }.`;
  throw new ToolrailError("invalid-options", message);
}

/** Collects the names of tools in the options of the host and of plugins, and whether they protect. */
export function namedTools(
  options: HostOptions,
  { plugins, notes = [] }: { plugins: readonly HostPlugin[]; notes: readonly string[] | undefined },
): readonly NamedTools[] {
  const { allow, requireApproval = [], schemas = {} } = options;
  const namesOf = (option: string, patterns: readonly string[], protects = false) =>
    patterns.map((pattern): NamedTools => ({ option, pattern, protects }));
  const all = [
    ...namesOf("allow", Array.isArray(allow) ? allow : []),
    ...namesOf("requireApproval", requireApproval, true),
    ...[options.authorize ?? []].flat().flatMap(({ names = [] }) => names),
    ...namesOf("schemas", Object.keys(schemas)),
    ...plugins.flatMap(({ names = [] }) => names),
  ];
  return all.filter(({ pattern, orNote }) => !(orNote && notes.includes(pattern)));
}

/** Turns `authorize` and `requireApproval` into policies. Returns `undefined` if there is neither. An empty list is no policy. */
export function policiesOf({
  authorize,
  requireApproval,
}: Pick<HostOptions, "authorize" | "requireApproval">): readonly Policy[] | undefined {
  const policies = authorize === undefined ? [] : [authorize].flat();
  if (requireApproval === undefined || requireApproval.length === 0)
    return policies.length === 0 ? undefined : policies;
  const isAsked = toToolTest(requireApproval, "requireApproval");
  const byList: Policy = ({ tool, origin }) =>
    origin.by !== "application" && isAsked(tool) ? "ask" : "allow";
  return [...policies, Object.assign(byList, { targets: () => [] })];
}

/** Combines the tool checks of plugins into one function, which leaves out what they refuse. Only changed tools are checked again. */
export function screenOf(
  plugins: readonly HostPlugin[],
  { validator, parsers }: Pick<ScreenContext, "validator"> & Pick<HostParts, "parsers">,
): (list: ServerTools) => Promise<ServerTools> {
  const checking = plugins.filter(({ checkTool }) => checkTool !== undefined);
  if (checking.length === 0) return async (list) => list;
  const known = new WeakMap<Tool, Promise<ScreenVerdict[]>>();
  const ask = (tool: Tool) => {
    const context = { validator, hasParser: parserOf(parsers, tool) !== undefined };
    const checkers = tool.name === RESOURCES ? [] : checking;
    const verdicts =
      known.get(tool) ??
      Promise.all(checkers.map((plugin) => checkByPlugin(plugin, { tool, context })));
    known.set(tool, verdicts);
    return verdicts;
  };
  return async (list) => {
    const verdicts = await Promise.all(list.tools.map(ask));
    const tools = list.tools.filter((_, at) => !verdicts[at]?.some(({ isRefused }) => isRefused));
    const problems = verdicts.flat().flatMap(({ problem }) => problem ?? []);
    return { ...list, tools, problems: [...list.problems, ...problems] };
  };
}

/** Checks a tool with a plugin. If the check throws, the tool is not offered. */
async function checkByPlugin(
  plugin: HostPlugin,
  { tool, context }: { readonly tool: Tool; readonly context: ScreenContext },
): Promise<ScreenVerdict> {
  try {
    return (await plugin.checkTool?.(tool, context)) ?? {};
  } catch {
    const { server, name, id } = tool;
    const message = `Tool ${id} is not offered: \`checkTool\` of the plugin "${plugin.name}" threw an error.`;
    return { problem: { server, tool: name, code: "plugin-failed", message }, isRefused: true };
  }
}

export function secretOf(secret: string = crypto.randomUUID()): string {
  if (secret.length >= 32) return secret;
  const message = "`secret` must be at least 32 random characters long.";
  throw new ToolrailError("invalid-options", message);
}
