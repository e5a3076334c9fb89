import { shorten } from "../json/plain-text.ts";
import { parseAddress } from "../result/address.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Plugin } from "../types/plugin.ts";
import { readAddress } from "./address.ts";
import { type KeptResults, readKept } from "./kept-results.ts";
import { readLines } from "./read-lines.ts";

export const PLUGIN = "references";
const NAME = "read_result";
export const READ_TOOL = `${PLUGIN}.${NAME}`;
/** The name of the tool for models. */
export const READ_TOOL_NAME = `${PLUGIN}_${NAME}`;

/** Creates the tool by which a model reads more of a kept result: at most 8,000 characters a call, which are never kept. */
export function createReadTool(kept: KeptResults): NonNullable<Plugin["tools"]>[number] {
  return {
    name: NAME,
    // It contains no example of an id, since models would use it.
    description:
      "Reads lines of a long text, or values of a list or object, that was kept. Do not read what you only pass on: write its address.",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: {
        from: { type: "string", description: "its name, or name.path" },
        find: { type: "string", description: "text they must contain" },
        start: { type: "integer", description: "number of the first line" },
        count: { type: "integer", description: "1-200" },
      },
      required: ["from"],
    },
    async call({ from, find, start, count }, { conversation }) {
      const address = typeof from === "string" && (readAddress(from) ?? parseAddress(from.trim()));
      const finding =
        address && conversation ? await kept.find(conversation, address.id) : undefined;
      if (!address || !finding) {
        return refuse(
          `There is no kept result "${shorten(String(from))}" here. The notice of a long result has its name.`,
        );
      }
      if (!finding.result)
        return refuse(`${address.id} is no longer kept. Call ${finding.tool} again.`);
      const reading = readKept(finding.result, { ...address, asText: false });
      if (!reading.found) return refuse(`${address.text} cannot be read: ${reading.message}.`);
      const isAll = address.keys.length === 0 && typeof reading.value !== "string";
      const text = readLines(reading.value, {
        from: isAll ? `${address.id}.structured` : address.text,
        find: typeof find === "string" && find !== "" ? find : undefined,
        start: toWhole(start, 0),
        count: Math.min(toWhole(count, 50), 200),
      });
      return { content: [{ type: "text", text }] };
    },
  };
}

function refuse(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function toWhole(value: unknown, otherwise: number): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : otherwise;
}
