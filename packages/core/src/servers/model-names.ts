import type { ToolRef } from "../call/tool.ts";

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Gives each tool the name that models see: at most 64 characters of `[A-Za-z0-9_-]`, different for
 * different tools. A tool keeps its own name where it is legal and no other server has it; else it is
 * `server_tool`; where that is illegal, too long or taken, it ends in a hash of server and name.
 * The same tools get the same names, in whatever order the servers list them.
 */
export function assignModelNames(tools: readonly ToolRef[]): Map<ToolRef, string> {
  const owners = new Map<string, number>();
  for (const { name } of tools) owners.set(name, (owners.get(name) ?? 0) + 1);
  const isShort = ({ name }: ToolRef) => isLegal(name) && owners.get(name) === 1;
  const names = new Map(tools.filter(isShort).map((tool) => [tool, tool.name]));
  const taken = new Set(names.values());
  const others = tools.filter((tool) => !names.has(tool));
  for (const tool of others.sort((a, b) => (toolKey(a) < toolKey(b) ? -1 : 1))) {
    const name = longName(tool, taken);
    names.set(tool, name);
    taken.add(name);
  }
  return names;
}

function isLegal(name: string): boolean {
  return name.length <= MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(name);
}

function longName(tool: ToolRef, taken: ReadonlySet<string>): string {
  const full = `${tool.server}_${tool.name}`;
  if (isLegal(full) && !taken.has(full)) return full;
  const stem = full.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  for (let salt = 0; ; salt++) {
    const name = `${stem}_${hash(`${salt}\0${toolKey(tool)}`)}`;
    if (!taken.has(name)) return name;
  }
}

/** Different for different tools, whatever dots their names hold. */
export function toolKey({ server, name }: ToolRef): string {
  return `${server}\0${name}`;
}

/** FNV-1a, twice over, as base 36: enough to tell names apart, since `taken` settles the rest. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
  }
  const digits = (low >>> 0).toString(36) + (high >>> 0).toString(36);
  return digits.padStart(HASH_LENGTH, "0").slice(-HASH_LENGTH);
}
