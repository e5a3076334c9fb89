import type { HostOptions, JsonObject } from "@toolrail/core";
import { DEMO_CUSTOMER_ID } from "../store/bank-database.ts";
import { CUSTOMER_META_KEY } from "../tools/customer.ts";
import { THREAD_META_KEY } from "../tools/thread.ts";

/** From this amount on, a transfer that a model prepares needs the customer's word first. */
const LARGE_TRANSFER = 1_000;

/** The application's own rule, whatever server it talks to. */
export const askBeforeLargeTransfers: NonNullable<HostOptions["authorize"]> = (call) => {
  const { amount } = call.arguments;
  const isLarge = typeof amount === "number" && amount >= LARGE_TRANSFER;
  return call.origin.by === "model" && isLarge ? "ask" : "allow";
};

/** Who the customer is and which conversation this is: from the application, never from a model. */
export function toRequestMeta(threadId: string): JsonObject {
  return {
    [CUSTOMER_META_KEY]: { customerId: DEMO_CUSTOMER_ID },
    [THREAD_META_KEY]: { threadId, signIn: true },
  };
}
