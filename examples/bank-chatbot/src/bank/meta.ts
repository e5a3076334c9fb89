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

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const widget = z.object({
  kind: z.enum(["options", "confirmation", "field"]),
  title: z.string(),
  /** The buttons. The first one of a confirmation confirms. */
  choices: z.array(z.object({ label: z.string(), call })).optional(),
  field: z
    .object({
      call,
      /** The argument of the call in which the number is sent. */
      argument: z.string(),
      /** The unit of the number, such as "USD". */
      unit: z.string().optional(),
    })
    .optional(),
});

/** A form that calls a tool of its server with what the customer chose or entered, without a model. */
export type Widget = z.infer<typeof widget>;

export function widgetMeta(form: Widget): Meta {
  return { [WIDGET_META_KEY]: form };
}

/** Reads the form that a result asks for. Returns `undefined` if there is none, or if it cannot be read. */
export function readWidget(meta: Meta = {}): Widget | undefined {
  return widget.safeParse(meta[WIDGET_META_KEY]).data;
}
