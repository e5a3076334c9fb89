import { askUnlessFrom } from "@toolrail/plugins/sources";

/**
 * A policy against mails that give orders. After the model has read one, money moves without a question only if the customer
 * has named the account, or the bank has listed it.
 */
export const askAfterMail = askUnlessFrom(["user", "bank.list_accounts"], {
  // A pattern, for the bank lists this tool only once the customer has signed in: an exact name has to be listed at once.
  to: { "bank.prepare_money_*": ["toAccountId"] },
  after: ["mail.*"],
  names: { "mail.*": "a mail", toAccountId: "the account number" },
});
