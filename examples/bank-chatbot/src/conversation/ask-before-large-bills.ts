import type { Policy } from "@toolrail/core";

/** Above this amount, in dollars, a bill is paid with the customer's word alone. */
const LARGE_BILL = 500;

/** The same for a call of the model and for a step of a pipe that it wrote. */
export const askBeforeLargeBills: Policy = ({ tool, arguments: { amount } }) => {
  const isSmall = typeof amount === "number" && amount <= LARGE_BILL;
  return tool.id !== "bank.pay_bill" || isSmall ? "allow" : { ask: "the bill is large" };
};
