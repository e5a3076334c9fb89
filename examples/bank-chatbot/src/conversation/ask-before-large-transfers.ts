import type { Policy } from "@toolrail/core";

/** From this amount on, in dollars, a transfer that a model prepares needs the customer's word first. */
const LARGE_TRANSFER = 1_000;

/** The application's own rule, whatever the bank says. */
export const askBeforeLargeTransfers: Policy = (call) => {
  const { amount } = call.arguments;
  const isLarge = typeof amount === "number" && amount >= LARGE_TRANSFER;
  return call.origin.by === "model" && isLarge ? { ask: "the amount is large" } : "allow";
};
