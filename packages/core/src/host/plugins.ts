import type { Hooks, Plugin, PluginKit, Use } from "../call/plugin.ts";
import type { McpPort } from "../call/port.ts";
import type { ScreenContext, ScreenVerdict, Tool } from "../call/tool.ts";
import { createOptionCheck, type OptionTable } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { messageOf } from "../json/plain-text.ts";
import { nearestName } from "../nearest-name.ts";
import type { LinkedServer } from "../servers/server-link.ts";
import type { ServerTools } from "../servers/tool-list.ts";

const MEMBERS: OptionTable<Plugin> = {
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
};

type Member = keyof typeof MEMBERS;

const checkPlugin = /* @__PURE__ */ createOptionCheck<Plugin>("A plugin", MEMBERS);
const checkTool = /* @__PURE__ */ createOptionCheck<NonNullable<Plugin["tools"]>[number]>(
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

/** Creates the plugins of a host. Rejects with `invalid-options` for values that are no plugins, and for plugins of one name. */
export async function createPlugins(use: readonly Use[], kit: PluginKit): Promise<Plugin[]> {
  const plugins: Plugin[] = [];
  for (const [index, entry] of use.entries()) {
    const plugin = await createPlugin(entry, kit, `use[${index}]`);
    if (plugins.some(({ name }) => name === plugin.name)) {
      throw invalidOptions(
        `\`use\` has two plugins with the name "${plugin.name}": leave one out.`,
      );
    }
    plugins.push(plugin);
  }
  return plugins;
}

async function createPlugin(entry: Use, kit: PluginKit, place: string): Promise<Plugin> {
  const made = async () => (typeof entry === "function" ? entry(kit) : entry);
  const plugin = await made().catch((cause: unknown) => {
    // A function of options refuses the first member of the kit, which it takes for an option.
    if (/^\S+( has no option "now"|\.now does not exist)/.test(messageOf(cause))) return made;
    throw cause;
  });
  const { name } = Object(plugin) as Partial<Plugin>;
  if (typeof plugin === "function")
    throw invalidOptions(`${place} is not called yet: write it as in use: [rules([…])].`);
  if (typeof name !== "string" || name === "")
    throw invalidOptions(
      `${place} must be a plugin with a \`name\`, or a function that returns one.`,
    );
  checkPlugin(plugin, `The plugin "${name}"`);
  checkPlugin(collectMethods(plugin), `The plugin "${name}"`);
  for (const tool of plugin.tools ?? []) checkTool(tool, `A tool of the plugin "${name}"`);
  return plugin;
}

/** Collects what the class of a plugin defines under the name of a member, or under one so near that it was meant. */
function collectMethods(plugin: Plugin): object {
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
export function collectHooks(plugins: readonly Plugin[]): Hooks {
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

/** Returns the tools of plugins, each plugin as a server. Throws `invalid-options` for a name that cannot be one or is taken. */
export function toServers(plugins: readonly Plugin[], taken: ReadonlyMap<string, unknown>) {
  const withTools = plugins.filter(({ tools }) => tools !== undefined);
  return withTools.map((plugin) => [plugin.name, toServer(plugin, taken)] as const);
}

function toServer({ name, tools = [] }: Plugin, taken: ReadonlyMap<string, unknown>): LinkedServer {
  if (name.includes("."))
    throw invalidOptions(`The plugin "${name}" has tools, so its name must have no dots.`);
  if (taken.has(name))
    throw invalidOptions(
      `The plugin "${name}" has tools, so the server "${name}" needs another name.`,
    );
  const source: McpPort = {
    list: async () => ({ tools: tools.map(({ call: _, ...tool }) => tool) }),
    async call({ name, arguments: args }, { context, conversation, signal }) {
      const about = { context, conversation, signal };
      return tools.find((tool) => tool.name === name)?.call(args, about);
    },
  };
  return { source, prefix: true };
}

/** The tool checks of plugins. They leave out what they refuse, and check only changed tools again. */
export class ToolScreen {
  readonly #checking: readonly Plugin[];
  readonly #context: ScreenContext;
  readonly #known = new WeakMap<Tool, Promise<ScreenVerdict[]>>();

  constructor(plugins: readonly Plugin[], context: ScreenContext) {
    this.#checking = plugins.filter(({ checkTool }) => checkTool !== undefined);
    this.#context = context;
  }

  async check(list: ServerTools): Promise<ServerTools> {
    return this.#checking.length === 0 ? list : this.#ask(list);
  }

  async #ask(list: ServerTools): Promise<ServerTools> {
    const verdicts = await Promise.all(list.tools.map((tool) => this.#verdicts(tool)));
    const tools = list.tools.filter((_, at) => !verdicts[at]?.some(({ isRefused }) => isRefused));
    const problems = verdicts.flat().flatMap(({ problem }) => problem ?? []);
    return { ...list, tools, problems: [...list.problems, ...problems] };
  }

  #verdicts(tool: Tool): Promise<ScreenVerdict[]> {
    const checks = () => this.#checking.map((plugin) => checkByPlugin(plugin, tool, this.#context));
    const verdicts = this.#known.get(tool) ?? Promise.all(checks());
    this.#known.set(tool, verdicts);
    return verdicts;
  }
}

/** Checks a tool with a plugin. If the check throws, the tool is not offered. */
async function checkByPlugin(
  plugin: Plugin,
  tool: Tool,
  context: ScreenContext,
): Promise<ScreenVerdict> {
  try {
    return (await plugin.checkTool?.(tool, context)) ?? {};
  } catch {
    const { server, name, id } = tool;
    const message = `Tool ${id} is not offered: \`checkTool\` of the plugin "${plugin.name}" threw an error.`;
    return { problem: { server, tool: name, code: "plugin-failed", message }, isRefused: true };
  }
}
