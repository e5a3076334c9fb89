import type { BankData, BankMessage } from "./protocol.ts";

/** Things in the conversation that wait for the customer, each with what it stands for. */
export interface OpenItems<Name extends "control" | "approval", Item> {
  add(message: BankMessage, id: string, view: BankData[Name], item: Item): void;
  /** Those that still wait. */
  open(): readonly { readonly id: string; readonly item: Item }[];
  find(id: string): { readonly view: BankData[Name]; readonly item: Item } | undefined;
  /** Changes what the page shows of it, in the message that holds it. */
  update(id: string, change: Partial<BankData[Name]>): BankData[Name] | undefined;
}

export function createOpenItems<Name extends "control" | "approval", Item>(
  name: Name,
): OpenItems<Name, Item> {
  const items = new Map<string, { message: BankMessage; view: BankData[Name]; item: Item }>();
  return {
    add: (message, id, view, item) => void items.set(id, { message, view, item }),
    open: () =>
      [...items].flatMap(([id, { view, item }]) => (view.state === "open" ? [{ id, item }] : [])),
    find: (id) => items.get(id),
    update(id, change) {
      const found = items.get(id);
      if (!found) return undefined;
      found.view = { ...found.view, ...change };
      const { parts } = found.message;
      const at = parts.findIndex(
        (part) => part.type === `data-${name}` && "id" in part && part.id === id,
      );
      parts[at] = { type: `data-${name}`, id, data: found.view } as BankMessage["parts"][number];
      return found.view;
    },
  };
}
