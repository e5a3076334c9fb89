import { DEMO_CUSTOMER_ID } from "../bank-store.ts";
import { CUSTOMER_META_KEY } from "../tools/customer.ts";

/** The same words for every agent and every model. */
export const INSTRUCTIONS =
  "You are the assistant of a bank. Help the customer with their accounts and transfers by calling " +
  "tools. Answer in one or two plain sentences. Never invent balances, account ids or tickets.";

/** The `_meta` of requests, with the customer who is signed in. The application sets it, and no model can. */
export const CUSTOMER = { [CUSTOMER_META_KEY]: { customerId: DEMO_CUSTOMER_ID } };
