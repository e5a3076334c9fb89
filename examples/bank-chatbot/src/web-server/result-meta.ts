import type { JsonObject } from "@toolrail/core";
import { z } from "zod";

const call = z.object({
  tool: z.string(),
  parameters: z.record(z.string(), z.unknown()).default({}),
});
const mapped = call.extend({ map_input_to: z.string() });
/** One event, or a list of which the first is meant. */
const onEvent = z.union([mapped, z.tuple([mapped], z.unknown()).transform(([first]) => first)]);
const title = z.string().default("");
const label = z.string().optional();
const bound = z.union([z.number(), z.string()]).transform(String).optional();

const widget = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("options"),
    title,
    options: z.array(
      z.object({ value: z.union([z.string(), z.number()]).transform(String), label: z.string() }),
    ),
    on_event: onEvent,
  }),
  z.object({
    type: z.literal("confirmation"),
    title,
    on_confirm: call,
    on_cancel: call,
    confirm_label: label,
    cancel_label: label,
  }),
  z.object({
    type: z.enum(["number", "datetime", "text"]),
    title,
    on_event: onEvent,
    unit: label,
    placeholder: label,
    min: bound,
    max: bound,
  }),
]);

export type ResultWidget = z.infer<typeof widget>;

const handoff = z.object({
  agent_available: label,
  agent_unavailable: label,
  message_to_human_agent: label,
});

const extensions = z.object({
  transfer_to_live_agent: handoff.optional(),
  /** The same under another name, as servers in the wild send it. */
  connect_to_agent: handoff.optional(),
  end_interaction: z.unknown().optional(),
});

/** What a result asks of the application in its `_meta`; nothing where it cannot be read. */
export interface ResultWishes {
  readonly widget?: ResultWidget;
  readonly handoff?: z.infer<typeof handoff>;
  readonly endsInteraction: boolean;
  /** The thread whose tools are to be listed again. */
  readonly refreshThread?: string;
}

/** Reads `_meta` under any vendor's prefix: `vendor/widget`, `vendor/extensions`. */
export function readResultMeta(meta: JsonObject = {}): ResultWishes {
  const form = widget.safeParse(readKey(meta, "widget"));
  const wishes = extensions.safeParse(readKey(meta, "extensions")).data;
  const transfer = wishes?.transfer_to_live_agent ?? wishes?.connect_to_agent;
  const refreshThread = readKey(meta, "refreshThreadCapabilities");
  return {
    ...(form.success && { widget: form.data }),
    ...(transfer && { handoff: transfer }),
    endsInteraction: wishes?.end_interaction !== undefined,
    ...(typeof refreshThread === "string" && { refreshThread }),
  };
}

function readKey(meta: JsonObject, name: string): unknown {
  const key = Object.keys(meta).find((one) => one === name || one.endsWith(`/${name}`));
  return key === undefined ? undefined : meta[key];
}
