import { type Decision, findTool, type Rule } from "../../examples/offline-model/src/index.ts";

const call = (name: string, args: object): Decision => ({
  toolCalls: [{ name, arguments: { ...args } }],
});

/** The behaviour of the fake model of the chat. */
export const rules: readonly Rule[] = [
  ({ toolResultsSinceUser: results }) => {
    const last = results.at(-1);
    return last && { text: `Done: ${last.text}` };
  },
  ({ lastUser }) => {
    const [, order] = /(\d+)/.exec(lastUser) ?? [];
    if (/return/i.test(lastUser)) return call("return_order", { order: Number(order) });
    return order === undefined ? undefined : call("find_order", { order: Number(order) });
  },
  ({ lastUser, tools }) =>
    /shirt/i.test(lastUser) && findTool(tools, "pick_size") ? call("pick_size", {}) : undefined,
  () => ({ text: "I can find orders, and take them back." }),
];
