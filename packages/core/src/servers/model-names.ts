import { sha256 } from "../json/json.ts";
import type { ToolRef } from "../types/tool.ts";

const MAX_LENGTH = 64;
const HASH_LENGTH = 20;
const HASHED = new RegExp(`_[0-9a-f]{${HASH_LENGTH}}$`);

/**
 * Makes the names that models see (see `modelName`). Different tools get different names: `server_tool` for the servers in
 * `prefixed`, and else the tool's name. If that is illegal, too long, or begins like the name of another server in
 * `prefixed`, it ends in a hash of server and tool. Nothing that a server lists changes the name of another tool.
 */
export function createModelNames(
  prefixed: readonly string[],
): (tool: ToolRef) => string | Promise<string> {
  return (tool) => {
    const { server, name } = tool;
    const prefix = prefixed.includes(server) ? server : undefined;
    const plain = prefix === undefined ? name : `${prefix}_${name}`;
    const isFree = !HASHED.test(plain);
    const isOwn = readServer(plain, prefixed) === prefix;
    const isLegal = plain.length <= MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(plain);
    return isOwn && isLegal && isFree ? plain : hashedName(tool, plain);
  };
}

/** Finds the server whose prefix a name has. If several fit, the longest counts. */
function readServer(name: string, servers: readonly string[]): string | undefined {
  const fitting = servers.filter((server) => name.startsWith(`${server}_`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

async function hashedName({ server, name }: ToolRef, plain: string): Promise<string> {
  const stem = plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${stem}_${(await sha256(JSON.stringify([server, name]))).slice(0, HASH_LENGTH)}`;
}
