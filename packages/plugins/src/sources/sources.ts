import { type CallToolResult, type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck, toModelParts } from "@toolrail/core/adapter";
import { engineOf, type HostUse, suggestName, visibleBlocks } from "@toolrail/core/plugin";
import { createEndorsements } from "./endorsements.ts";
import type { ReadBounds } from "./read-texts.ts";
import { createTracker } from "./track-sources.ts";

/** Options of `sources`: limits, names of notes, and endorsement. */
export interface SourcesOptions extends Partial<ReadBounds> {
  /** The names that `note` may give to its texts, such as `["upload"]`. Policies may use them like tools. Default: any name. */
  readonly notes?: readonly string[];
  /**
   * If true, `askUnlessFrom` asks once about each target: a value that a person has approved for a tool is not asked about again
   * in this conversation, for this user, by that tool. Default false: it asks about each call.
   */
  readonly endorse?: boolean;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<SourcesOptions>("sources", {
  notes: "texts",
  endorse: "boolean",
  maxResults: "number",
  maxLength: "number",
});

/**
 * Finds the sources of the arguments of calls, for policies, plugins and `onEvent`. Texts of results are stored by `conversation`
 * in this process, and the names of their tools also in the host's `store`. Other processes know only the names, so policies ask
 * more often there, never less. Without this plugin, only the sources that pipes and chains know exactly are known.
 */
export function sources(options: SourcesOptions = {}): HostUse {
  checkOptions(options);
  const { notes, endorse = false, ...bounds } = options;
  return (kit) => {
    const { store, now } = kit;
    const endorsements = endorse ? createEndorsements(kit) : undefined;
    const tracker = createTracker(bounds, { store, now });
    return {
      name: "sources",
      async examineCall(call, about) {
        const { conversation, tool, arguments: args, sources: exact = [] } = call;
        if (conversation === undefined) return undefined;
        const known = await tracker.find({ conversation, tool, arguments: args, exact, ...about });
        const endorsed = await endorsements?.find(call, about.targets);
        return endorsed ? { ...known, endorsed } : known;
      },
      // Any process that continues the conversation must know that the result may have been read.
      async expectCall(call, { isApproved }) {
        const { conversation, tool } = call;
        if (conversation === undefined) return;
        if (isApproved) await endorsements?.add(call);
        await tracker.expect({ conversation, server: tool.server, tool: tool.name });
      },
      async recordCall({ conversation, callId, tool, arguments: args }, outcome) {
        const text = "content" in outcome ? readableText(outcome) : outcome.message;
        if (conversation === undefined || text === undefined) return;
        const { server, name } = tool;
        const argumentText = JSON.stringify(args);
        await tracker.keep({ conversation, server, tool: name, callId, text, argumentText });
      },
      provides: {
        notes: {
          names: notes,
          async add(text, { from, conversation }) {
            if (notes && !notes.includes(from)) {
              const message = `sources() has no note "${from}" in its \`notes\`. ${suggestName(from, notes)}`;
              throw new ToolrailError("invalid-options", message);
            }
            const note = { conversation, server: "", tool: from };
            await tracker.expect(note);
            await tracker.keep({ ...note, text });
          },
        },
      },
    };
  };
}

/** Returns all text of a result that is not for the user alone, which is empty for an image. Returns `undefined` if no model reads any of it. */
function readableText(result: CallToolResult): string | undefined {
  const parts = toModelParts(visibleBlocks(result));
  if (parts.length === 0) return undefined;
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** A text that a model reads without a call. */
export interface Note {
  readonly text: string;
  /** The name of the source, which is used like a tool's name: `"upload"` is a source like the results of a tool `upload`. */
  readonly from: string;
  /** The conversation in which the text is read. */
  readonly conversation: string;
}

const checkNote = /* @__PURE__ */ createOptionCheck<Note>("note", {
  text: "text",
  from: "text",
  conversation: "id",
});

/**
 * Records a text that a model reads without a call, such as an uploaded file. Rejects with `invalid-options` if the host has no
 * `sources()`.
 */
export async function note(host: Host, read: Note): Promise<void> {
  checkNote(read);
  const { notes } = engineOf(host).services;
  if (!notes) {
    const message =
      "note needs createHost({ use: [sources()] }); without that plugin notes are not used.";
    throw new ToolrailError("invalid-options", message);
  }
  const { text, from, conversation } = read;
  await notes.add(text, { from, conversation });
}
