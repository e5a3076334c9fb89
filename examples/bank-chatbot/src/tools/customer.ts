import { z } from "zod";
import { DEMO_CUSTOMER_ID } from "../bank-store.ts";

/** The key of the request `_meta` in which the application says who the customer is. */
export const CUSTOMER_META_KEY = "toolrail.example/customer";

const customerContext = z.object({ customerId: z.string().min(1) });

/** The customer of this request; the demo customer where the application names none. Throws where
 * it names one in a form that cannot be read, rather than showing somebody else's accounts. */
export function customerOf({ _meta: meta }: { readonly _meta?: Record<string, unknown> }): string {
  const context = meta?.[CUSTOMER_META_KEY];
  if (context === undefined) return DEMO_CUSTOMER_ID;
  const parsed = customerContext.safeParse(context);
  if (parsed.success) return parsed.data.customerId;
  throw new Error(`_meta["${CUSTOMER_META_KEY}"] must be { "customerId": "..." }.`);
}
