import { ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { toModelParts } from "../result/model-parts.ts";
import { visibleBlocks } from "../result/model-view.ts";
import type { HostKit, HostPlugin } from "../types/plugin.ts";
import type { SourceTracking } from "./argument-source.ts";

/** Finds where the arguments of calls came from, as a plugin. */
export function sourcesPlugin(track: SourceTracking, { store, now }: HostKit): HostPlugin {
  const tracker = track({ store, now });
  return {
    name: "sources",
    async examineCall({ scope, tool, arguments: args, sources = [] }, { targets, userText }) {
      if (scope === undefined) return undefined;
      return tracker.find({ scope, tool, arguments: args, userText, exact: sources, targets });
    },
    // Whoever goes on with the conversation knows that the result may have been read.
    async expectCall({ scope, tool }) {
      if (scope === undefined) return;
      await tracker.expect({ scope, server: tool.server, tool: tool.name });
    },
    async recordCall({ scope, callId, tool, arguments: args }, outcome) {
      const text = "content" in outcome ? readableText(outcome) : outcome.message;
      if (scope === undefined || text === "") return;
      const { server, name } = tool;
      const asked = JSON.stringify(args);
      await tracker.keep({ scope, server, tool: name, callId, text, asked });
    },
    provides: {
      notes: {
        names: tracker.notes,
        async add(text, { from, scope }) {
          const { notes = [from] } = tracker;
          if (!notes.includes(from)) {
            const message = `trackSources has no note "${from}" in its \`notes\`. ${suggestName(from, notes)}`;
            throw new ToolrailError("invalid-options", message);
          }
          const note = { scope, server: "", tool: from };
          await tracker.expect(note);
          await tracker.keep({ ...note, text });
        },
      },
    },
  };
}

/** All words of a result that are not for the user alone. */
function readableText(result: CallToolResult): string {
  const parts = toModelParts(visibleBlocks(result));
  return parts
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n")
    .trim();
}
