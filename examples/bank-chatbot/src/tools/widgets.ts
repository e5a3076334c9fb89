import { z } from "zod";

/** The key of the result `_meta` in which a tool asks the application for a small form. */
const WIDGET_META_KEY = "toolrail.example/widget";

const call = z.object({ tool: z.string(), parameters: z.record(z.string(), z.unknown()) });
/** The value is added to the parameters under `map_input_to`. */
const on_event = call.extend({ map_input_to: z.string() });
const choice = z.object({ value: z.string(), label: z.string() });

const widget = z.discriminatedUnion("type", [
  z.object({ type: z.literal("options"), title: z.string(), options: z.array(choice), on_event }),
  z.object({
    type: z.literal("confirmation"),
    title: z.string(),
    on_confirm: call,
    on_cancel: call,
    confirm_label: z.string().default("Confirm"),
    cancel_label: z.string().default("Cancel"),
  }),
  z.object({
    type: z.literal("number"),
    title: z.string(),
    on_event,
    /** Not to be shown while it is typed, or afterwards. */
    secret: z.boolean().optional(),
    /** The unit of a number, such as "USD". */
    unit: z.string().optional(),
  }),
]);

/** A form that calls a tool of its server with what the customer chose or entered, without a model. */
export type Widget = z.infer<typeof widget>;

export function widgetMeta(form: z.input<typeof widget>): Record<string, unknown> {
  return { [WIDGET_META_KEY]: form };
}

/** Reads the form that a result asks for. Returns `undefined` if there is none, or if it cannot be read. */
export function readWidget(meta: Readonly<Record<string, unknown>> = {}): Widget | undefined {
  return widget.safeParse(meta[WIDGET_META_KEY]).data;
}
