import type { Policy } from "../call/call-options.ts";
import type { HostParts } from "../call/host-parts.ts";
import type { Hooks, HostPlugin, HostUse, PluginKit } from "../call/plugin.ts";
import type { McpPort } from "../call/port.ts";
import { createOptionCheck, type OptionTable } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { messageOf } from "../json/plain-text.ts";
import { nearestName } from "../nearest-name.ts";
import type { ServerTools } from "../servers/tool-list.ts";
import { screenTools } from "./offered-tools.ts";

const MEMBERS: OptionTable<HostPlugin> = {
  name: "text",
  tools: "list",
  checkTool: "function",
  transformArguments: "function",
  authorize: "function",
  requestMeta: "function",
  requestHeaders: "function",
  wrapCall: "function",
  nextCall: "function",
  onHop: "function",
  onEvent: "function",
  keepHop: "function",
  once: "object",
};

type Member = keyof typeof MEMBERS;

const checkPlugin = /* @__PURE__ */ createOptionCheck<HostPlugin>("A plugin", MEMBERS);
const checkTool = /* @__PURE__ */ createOptionCheck<NonNullable<HostPlugin["tools"]>[number]>(
  "A tool",
  {
    name: "text",
    title: "text",
    description: "text",
    inputSchema: "object",
    outputSchema: "object",
    annotations: "object",
    call: "function",
  },
);

export interface PluginParts {
  readonly plugins: readonly HostPlugin[];
  readonly hooks: Hooks;
  /** The tools of plugins, each as a server with the name of its plugin. */
  readonly ports: ReadonlyMap<string, McpPort>;
  readonly policies: readonly Policy[];
  /** Leaves out the tools that `checkTool` of a plugin refuses. */
  readonly screen: (list: ServerTools) => Promise<ServerTools>;
}

/** Creates the plugins of a host. Rejects with `invalid-options` for values that are no plugins, and for plugins that exclude each other. */
export async function readPlugins(
  use: readonly HostUse[],
  {
    kit,
    servers,
    parsers,
  }: {
    readonly kit: PluginKit;
    readonly servers: readonly string[];
    readonly parsers: HostParts["parsers"];
  },
): Promise<PluginParts> {
  const plugins = await createPlugins(use, kit);
  const hooks = collectHooks(plugins);
  const withTools = plugins.filter(({ tools }) => tools !== undefined);
  const dotted = withTools.find(({ name }) => name.includes("."));
  if (dotted)
    throw invalidOptions(`The plugin "${dotted.name}" has tools, so its name must have no dots.`);
  const taken = withTools.find(({ name }) => servers.includes(name));
  if (taken)
    throw invalidOptions(
      `The plugin "${taken.name}" has tools, so the server "${taken.name}" needs another name.`,
    );
  return {
    plugins,
    hooks,
    ports: new Map(withTools.map((plugin) => [plugin.name, toOwnPort(plugin)])),
    policies: hooks.authorize.map((ask) => async (call) => (await ask(call)) ?? "allow"),
    screen: screenTools(plugins, { validator: kit.validator, parsers }),
  };
}

async function createPlugins(use: readonly HostUse[], kit: PluginKit): Promise<HostPlugin[]> {
  const plugins: HostPlugin[] = [];
  for (const [index, entry] of use.entries()) {
    const made = async () => (typeof entry === "function" ? entry(kit) : entry);
    const plugin = await made().catch((cause: unknown) => {
      // A function of options refuses the first member of the kit, which it takes for an option.
      if (/^\S+( has no option "now"|\.now does not exist)/.test(messageOf(cause))) return made;
      throw cause;
    });
    const { name } = Object(plugin) as Partial<HostPlugin>;
    if (typeof plugin === "function") {
      throw invalidOptions(`use[${index}] is not called yet: write it as in use: [rules([…])].`);
    }
    if (typeof name !== "string" || name === "") {
      throw invalidOptions(
        `use[${index}] must be a plugin with a \`name\`, or a function that returns one.`,
      );
    }
    checkPlugin(plugin, `The plugin "${name}"`);
    checkPlugin(collectMethods(plugin), `The plugin "${name}"`);
    for (const tool of plugin.tools ?? []) checkTool(tool, `A tool of the plugin "${name}"`);
    if (plugins.some((other) => other.name === name)) {
      throw invalidOptions(`\`use\` has two plugins with the name "${name}": leave one out.`);
    }
    plugins.push(plugin);
  }
  return plugins;
}

/** Collects what the class of a plugin defines under the name of a member, or under one so near that it was meant. */
function collectMethods(plugin: HostPlugin): object {
  const methods: Record<string, unknown> = {};
  for (let from = plugin; Object.getPrototypeOf(from); from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const near = name.startsWith("_") ? undefined : nearestName(name, Object.keys(MEMBERS));
      // A longer name, as `closeAll`, is that of a helper.
      if (near && Math.abs(near.length - name.length) <= 2)
        methods[name] = Reflect.get(plugin, name);
    }
  }
  return methods;
}

/** Collects the functions of plugins by their member, in order. */
function collectHooks(plugins: readonly HostPlugin[]): Hooks {
  const names = Object.keys(MEMBERS).filter((name) => MEMBERS[name as Member] === "function");
  const entries = names.map((name) => {
    const found = plugins.flatMap((plugin) => {
      const member = plugin[name as Member] as ((...given: unknown[]) => unknown) | undefined;
      return member ? [member.bind(plugin)] : [];
    });
    return [name, found] as const;
  });
  return { ...(Object.fromEntries(entries) as unknown as Hooks), plugins };
}

function toOwnPort({ tools = [] }: HostPlugin): McpPort {
  return {
    list: async () => ({ tools: tools.map(({ call: _, ...tool }) => tool) }),
    async call({ name, arguments: args }, { context, conversation, signal }) {
      const about = { context, conversation, signal };
      return tools.find((tool) => tool.name === name)?.call(args, about);
    },
  };
}
