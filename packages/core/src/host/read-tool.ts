import type { KeptResults } from "../call/kept-results.ts";
import type { JsonObject } from "../json.ts";
import { shorten } from "../plain-text.ts";
import { parseAddress, readAddress } from "../reference/address.ts";
import { readKept } from "../reference/kept-result.ts";
import { READ_TOOL_NAME } from "../reference/notice.ts";
import { readLines } from "../reference/read-lines.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** No example of a name stands here: models would use it. */
const DESCRIPTION =
  "Reads more of a long result that was kept, by the name in its notice. Only what you need to know yourself: to pass " +
  "it on, write its address. Texts are read by lines, lists by items.";

const INPUT_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    from: { type: "string", description: "NAME, or NAME.path of a part" },
    find: { type: "string", description: "only lines or items that contain this" },
    start: { type: "integer", minimum: 0 },
    count: { type: "integer", minimum: 1, maximum: 200, description: "default 50" },
  },
  required: ["from"],
};

/** A tool that makes no call, as frameworks define one. */
export interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What a model reads, 8,000 characters at most; it is never kept itself. Rejects with `callback-failed`. */
  read(input: unknown, scope: string | undefined): Promise<{ text: string; isError: boolean }>;
}

/** The tool `read_result`; `undefined` where the host keeps no results. */
export function defineReadTool(host: Host): ReadTool | undefined {
  const { kept } = engineOf(host);
  if (!kept) return undefined;
  return {
    name: READ_TOOL_NAME,
    description: DESCRIPTION,
    inputSchema: INPUT_SCHEMA,
    async read(input, scope) {
      const answer = await readPart(kept, { input: Object(input), scope });
      return typeof answer === "string"
        ? { text: answer, isError: false }
        : { text: answer.error, isError: true };
    },
  };
}

async function readPart(
  kept: KeptResults,
  { input, scope }: { readonly input: JsonObject; readonly scope: string | undefined },
): Promise<string | { readonly error: string }> {
  const { from, find, start = 0, count = 50 } = input;
  const address =
    typeof from === "string" ? (readAddress(from) ?? parseAddress(from.trim())) : undefined;
  const finding = address && scope ? await kept.find(scope, address.id) : undefined;
  if (!address || !finding || finding.type === "unknown") {
    const name = shorten(String(from));
    return {
      error: `There is no kept result "${name}" here. Names stand in the notices of long results.`,
    };
  }
  if (finding.type === "lost") {
    return { error: `${address.id} is no longer kept. Call ${finding.tool} again.` };
  }
  const reading = readKept(finding.result, { ...address, asText: false });
  if (!reading.found) return { error: `${address.text} cannot be read: ${reading.message}.` };
  const wanted = typeof find === "string" && find !== "" ? find : undefined;
  const [at, most] = [toWhole(start, 0), Math.min(toWhole(count, 50), 200)];
  return readLines(reading.value, { find: wanted, start: at, count: most });
}

function toWhole(value: unknown, otherwise: number): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : otherwise;
}
