/** The tools that a guarded question may call, and which of them a person has to approve. Everything else is refused. */
export const GUARD_LIST = {
  "bank.list_accounts": "allow",
  "bank.get_account_balance": "allow",
  "bank.check_account_issue": "allow",
  "bank.request_agent_handoff": "allow",
  "bank.prepare_money_transfer": "ask",
} as const;
