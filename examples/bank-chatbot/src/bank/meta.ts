import { z } from "zod";
import { DEMO_CUSTOMER_ID } from "./store.ts";

/** The key of the request `_meta` in which the application names the customer. */
const CUSTOMER_META_KEY = "toolrail.example/customer";

/** The `_meta` of requests, with the customer who is signed in. The application sets it, and no model can. */
export const CUSTOMER = { [CUSTOMER_META_KEY]: { customerId: DEMO_CUSTOMER_ID } };

export type Meta = Readonly<Record<string, unknown>>;

const customerContext = z
  .object({ customerId: z.string().min(1) })
  .default({ customerId: DEMO_CUSTOMER_ID });

/** Returns the customer of this request, or the demo customer if the application names none. Throws if it cannot be read. */
export function readCustomerId(meta: Meta = {}): string {
  return customerContext.parse(meta[CUSTOMER_META_KEY]).customerId;
}

/** Metadata of a result that names the tool to call next (tool chaining proposal). */
export function nextTool(tool: string, args: Meta): Meta {
  return { nextTool: { tool, arguments: args } };
}

/** The key of the result `_meta` in which a tool asks the application for a small form. */
const WIDGET_META_KEY = "toolrail.example/widget";

const title = z.string();
const call = z.object({ tool: z.string(), parameters: z.record(z.string(), z.unknown()) });
/** The value is added to the parameters under `map_input_to`. */
const on_event = call.extend({ map_input_to: z.string() });
const choice = z.object({ value: z.string(), label: z.string() });

const widget = z.discriminatedUnion("type", [
  z.object({ type: z.literal("options"), title, options: z.array(choice), on_event }),
  z.object({
    type: z.literal("confirmation"),
    ...{ title, on_confirm: call, on_cancel: call },
    confirm_label: z.string().default("Confirm"),
    cancel_label: z.string().default("Cancel"),
  }),
  z.object({
    type: z.literal("number"),
    ...{ title, on_event },
    /** Not to be shown while it is typed, or afterwards. */
    secret: z.boolean().optional(),
    /** The unit of a number, such as "USD". */
    unit: z.string().optional(),
  }),
]);

/** A form that calls a tool of its server with what the customer chose or entered, without a model. */
export type Widget = z.infer<typeof widget>;

export function widgetMeta(form: z.input<typeof widget>): Meta {
  return { [WIDGET_META_KEY]: form };
}

/** Reads the form that a result asks for. Returns `undefined` if there is none, or if it cannot be read. */
export function readWidget(meta: Meta = {}): Widget | undefined {
  return widget.safeParse(meta[WIDGET_META_KEY]).data;
}
