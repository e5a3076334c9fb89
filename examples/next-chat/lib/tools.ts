import * as z from "zod";

export const Order = z.object({ order: z.number(), total: z.number() });

/** The arguments and results of the shop's tools. */
export const schemas = {
  "shop.find_order": { input: z.object({ order: z.number() }), output: Order },
};
