import type { Statement } from "./sources.ts";

const store = (behaviour: string): Statement => ({ source: "Store of @toolrail/core", behaviour });

/** The requirements of a store that hosts share: `createHost({ store })`. */
export const storeRequirements = {
  "store/values": store("A value comes back as it was kept, whatever JSON it is."),
  "store/absent": store("A key that was never kept has no value, and nothing to delete."),
  "store/keys": store("Keys are told apart by every character, however long they are."),
  "store/replaces": store("A key has the last value that was kept under it."),
  "store/shared": store("What one opening keeps, another finds."),
  "store/expires": store("A value is gone after its time, and not there to be deleted."),
  "store/stays": store("A value stays for its time, whether that is a day or for ever."),
  "store/deletes-once": store("Of many who delete a value at once, exactly one gets true."),
  // Claims.
  "store/claims-once": store(
    "Of many who claim a key at once, one gets it, and its value is kept.",
  ),
  "store/claims-expired": store("Of many who claim an expired key at once, one gets it."),
  "store/claims-deleted": store("A key whose value was deleted may be claimed again."),
  "store/claims-kept": store("A key that holds a value cannot be claimed, however it got there."),
  "store/settles": store("A claim is settled by a value in its place."),
} as const satisfies Readonly<Record<string, Statement>>;
