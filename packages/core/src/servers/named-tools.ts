import { parsePath } from "@toolrail/json";
import { argumentNames } from "@toolrail/json/schema";
import { toPattern } from "../call/tool-patterns.ts";
import { invalidOptions } from "../errors.ts";
import { nearestName } from "../nearest-name.ts";
import type { HostProblem, NamedTools, Tool, ToolRef } from "../types/tool.ts";
import { listTools, nearestTool, toolKey } from "./tool-catalog.ts";
import type { ServerTools } from "./tool-list.ts";

/** The list of a server, and whether it is known. */
export interface AnsweredList extends ServerTools {
  readonly hasAnswered: boolean;
}

type Lists = ReadonlyMap<string, AnsweredList>;

/** A tool that a server lists, offered or not. */
interface Listed extends ToolRef {
  readonly tool?: Tool;
}

export type NameWatch = ReturnType<typeof createNameWatch>;

/**
 * Watches the names of tools in the options of a host while servers answer and change their lists. A name that no server lists is a
 * problem. If such a name protects, the host is refused at the start. Later, each tool that may have been meant needs an approval
 * until the name is right.
 */
export function createNameWatch() {
  const names: Watched[] = [];
  let asking: ReadonlyMap<string, string> = new Map();
  let findings: readonly Finding[] = [];
  return {
    /** True while calls need an approval because a name is not settled. */
    get asks() {
      return asking.size > 0;
    },
    /** Adds names of an option. Returns false if all of them are known. */
    add(more: readonly NamedTools[]): boolean {
      const isKnown = ({ option, pattern }: NamedTools) =>
        names.some((one) => one.option === option && one.pattern === pattern);
      const added = more
        .filter((one) => !isKnown(one))
        .map((one) => ({ ...one, test: toPattern(one.pattern, one.option), known: undefined }));
      names.push(...added);
      return added.length > 0;
    },
    /** Compares the names with the lists of all servers. Returns the problems. */
    read(lists: Lists): readonly HostProblem[] {
      const situation = { lists, listed: listedIn(lists), asking: new Map<string, string>() };
      findings = names.flatMap((name) => checkName(name, situation));
      asking = situation.asking;
      return findings.map(({ problem }) => problem);
    },
    /** Throws `invalid-options` if a name that protects is wrong. */
    refuseWrong(): void {
      const refused = findings.filter(({ refuses }) => refuses);
      if (refused.length === 0) return;
      throw invalidOptions(refused.map(({ problem }) => problem.message).join(" "));
    },
    /** Returns why a call of this tool needs an approval: a name that protects may mean it. */
    whyAsk: (tool: ToolRef): string | undefined => asking.get(toolKey(tool)),
  };
}

interface Watched extends NamedTools {
  readonly test: (tool: ToolRef) => boolean;
  /** Tools that the name did not mean when they were listed. */
  known: ReadonlySet<string> | undefined;
}

interface Situation {
  readonly lists: Lists;
  readonly listed: readonly Listed[];
  /** Receives the tools whose calls need an approval, with the reason. */
  readonly asking: Map<string, string>;
}

interface Finding {
  readonly problem: HostProblem;
  /** True if the host is refused at the start. */
  readonly refuses: boolean;
}

function checkName(name: Watched, { lists, listed, asking }: Situation): readonly Finding[] {
  const { option, pattern, protects = false } = name;
  if (pattern === "*") return [];
  const servers = serversMeant(pattern, [...lists.keys()]);
  const matching = listed.filter(name.test);
  const problemOf = (message: string) => ({ server: "", code: "unmatched-name", message }) as const;
  if (matching.length > 0) {
    name.known = new Set(listed.map(toolKey));
    const unknown = unknownArgument(name, matching);
    if (unknown === undefined) return [];
    if (protects) for (const tool of matching) asking.set(toolKey(tool), unknown);
    return [{ problem: problemOf(unknown), refuses: protects }];
  }
  const says = `\`${option}\` names "${pattern}", but`;
  const isSettled = servers.every((server) => lists.get(server)?.hasAnswered);
  const isExact = !pattern.includes("*");
  if (protects && isExact) {
    const why = `${says} no server lists such a tool, and this one may be meant`;
    const near = (tool: Listed) => nearestName(lastPart(pattern), [tool.name]) !== undefined;
    // Tools that were listed before are not meant, unless they are spelt nearly like the name.
    name.known ??= new Set(listed.filter((tool) => !near(tool)).map(toolKey));
    const others = name.known;
    for (const tool of listed) {
      if (others.has(toolKey(tool)) || !servers.includes(tool.server)) continue;
      asking.set(toolKey(tool), why);
    }
  }
  if (!isSettled) return [];
  const hint = suggestTool(pattern, { listed, lists });
  const isNoServer = servers.length === 0;
  const orNote = name.orNote && isExact ? NOTE : "";
  const problem = problemOf(`${says} no server lists such a tool. ${hint}${orNote}`);
  return [{ problem, refuses: protects && (isExact || isNoServer) }];
}

const NOTE = " If it is what `note` records, name it in `sources({ notes })` too.";

function listedIn(lists: Lists): Listed[] {
  return [...lists].flatMap(([server, { tools, problems }]): Listed[] => [
    ...tools.map((tool) => ({ server, name: tool.name, tool })),
    ...problems.flatMap(({ tool: name }) => (name === undefined ? [] : { server, name })),
  ]);
}

/** The servers whose tools a pattern may mean. A bare name may mean one of any server, a pattern begins with its server. */
function serversMeant(pattern: string, servers: readonly string[]): readonly string[] {
  if (!/[.*]/.test(pattern)) return servers;
  const [head = ""] = pattern.split("*");
  return servers.filter((server) => head.startsWith(`${server}.`) || `${server}.`.startsWith(head));
}

const lastPart = (name: string) => name.slice(name.indexOf(".") + 1);

/** Suggests the tool, or else the server, that was probably meant. */
function suggestTool(pattern: string, { listed, lists }: Omit<Situation, "asking">): string {
  const servers = [...lists.keys()];
  const [head = ""] = pattern.split(".");
  const server = servers.includes(head) ? undefined : nearestName(head, servers);
  const isPattern = pattern.includes("*");
  const anywhere = `*.${pattern}`;
  if (isPattern && listed.some(toPattern(anywhere, ""))) return `Did you mean "${anywhere}"?`;
  const near = isPattern
    ? server && server + pattern.slice(head.length)
    : (nearestTool(pattern, listed) ?? nearestTool(lastPart(pattern), listed));
  return near ? `Did you mean "${near}"?` : listTools(listed);
}

/** Describes an argument that an option names and that none of its tools has. Returns `undefined` if there is none. */
function unknownArgument(
  { option, pattern, arguments: paths = [] }: NamedTools,
  listed: readonly Listed[],
): string | undefined {
  if (paths.length === 0) return undefined;
  const tools = listed.flatMap(({ tool }) => (tool ? argumentNames(tool.inputSchema) : undefined));
  if (tools.includes(undefined)) return undefined;
  const names = tools.filter((name) => name !== undefined);
  const unknown = paths.map((path) => parsePath(path)[0] ?? "").find((one) => !names.includes(one));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, names);
  const hint = near === undefined ? `It has ${names.join(", ")}.` : `Did you mean "${near}"?`;
  return `\`${option}\` names the argument "${unknown}" of "${pattern}", which has no such argument. ${hint}`;
}
