import * as z from "zod";

/** The arguments and results of the shop's tools. */
export const schemas = {
  "shop.find_order": {
    input: z.object({ order: z.number() }),
    output: z.object({ order: z.number(), total: z.number() }),
  },
};

/** Tools that the page knows by their types, by the names that models see. */
export const typed = { find_order: "shop.find_order" } as const;
