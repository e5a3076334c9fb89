import { DEMO_CUSTOMER_ID } from "@toolrail/example-bank-chatbot/src/bank/store.ts";

/** Finds the customer's first account and hands it over to a specialist, which a person has to approve. */
export const SPEC = {
  vars: { customerId: DEMO_CUSTOMER_ID, urgency: "normal" },
  steps: [
    { id: "accounts", tool: "list_accounts" },
    {
      id: "look",
      parallel: [
        {
          id: "balance",
          tool: "get_account_balance",
          args: { accountId: { $ref: "steps.accounts.structured.accounts.1.accountId" } },
        },
        { id: "again", tool: "list_accounts" },
      ],
    },
    {
      id: "handoff",
      tool: "initiate_human_handoff",
      args: {
        customerId: { $ref: "vars.customerId" },
        issueType: "account_review",
        urgency: { $ref: "vars.urgency" },
      },
    },
  ],
  return: {
    account: { $ref: "steps.accounts.structured.accounts.1.name" },
    ticket: { $ref: "steps.handoff.structured.ticketId" },
  },
};
