import type { ConversationView, EntryOf } from "./conversation-view.ts";

/** Finds what waits for the customer: an approval, or else the newest control. */
export function openQuestion({
  entries,
}: ConversationView): EntryOf<"control"> | EntryOf<"approval"> | undefined {
  const open = entries.filter((one) => "state" in one && one.state === "open");
  const approval = open.findLast((one): one is EntryOf<"approval"> => one.type === "approval");
  return approval ?? open.findLast((one): one is EntryOf<"control"> => one.type === "control");
}
