/** What the demo's customer says: the locked account is the second sentence. */
export const CONVERSATION = [
  "Which accounts do I have?",
  "Please transfer 250 from my primary checking to my savings.",
  "My primary checking account seems to be blocked. Can you check it?",
] as const;
