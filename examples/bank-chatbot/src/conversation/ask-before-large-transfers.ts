import type { CallOrigin, Policy } from "@toolrail/core";

/** The amount in dollars from which a transfer that a model prepares needs the customer's approval first. */
const LARGE_TRANSFER = 1_000;

/** A policy of the application, whatever the bank itself checks. */
export const askBeforeLargeTransfers: Policy = (call) => {
  const { amount } = call.arguments;
  const isLarge = typeof amount === "number" && amount >= LARGE_TRANSFER;
  return isLarge && isOfModel(call.origin) ? { ask: "the amount is large" } : "allow";
};

/** A step of a pipe that a model wrote is a call of that model. */
function isOfModel(origin: CallOrigin): boolean {
  return origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
}
