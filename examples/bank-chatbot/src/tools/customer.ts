import { z } from "zod";
import { DEMO_CUSTOMER_ID } from "../bank-store.ts";

/** The key of the request `_meta` in which the application names the customer. */
export const CUSTOMER_META_KEY = "toolrail.example/customer";

const customerContext = z.object({ customerId: z.string().min(1) });

/**
 * Returns the customer of this request, or the demo customer if the application names none. Throws if the name cannot be read,
 * and so shows no other customer's accounts.
 */
export function customerOf({ _meta: meta }: { readonly _meta?: Record<string, unknown> }): string {
  const context = meta?.[CUSTOMER_META_KEY];
  if (context === undefined) return DEMO_CUSTOMER_ID;
  const parsed = customerContext.safeParse(context);
  if (parsed.success) return parsed.data.customerId;
  throw new Error(`_meta["${CUSTOMER_META_KEY}"] must be { "customerId": "..." }.`);
}
