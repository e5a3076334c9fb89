import type { ConversationView, EntryOf } from "./conversation-view.ts";

/** What waits for the customer, if anything does: the newest control, but an approval before all. */
export function openQuestion({
  entries,
}: ConversationView): EntryOf<"control"> | EntryOf<"approval"> | undefined {
  const open = entries.filter((one) => "state" in one && one.state === "open");
  const approval = open.findLast((one): one is EntryOf<"approval"> => one.type === "approval");
  return approval ?? open.findLast((one): one is EntryOf<"control"> => one.type === "control");
}
