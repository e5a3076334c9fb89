import { type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck, engineOf } from "@toolrail/core/adapter";

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
  conversation: "text",
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
