import * as z from "zod";

export const Order = z.object({ order: z.number(), total: z.number() });

/** The results of the shop's tools. */
export const schemas = { "shop.find_order": Order };
