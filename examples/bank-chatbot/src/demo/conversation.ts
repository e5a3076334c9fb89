/** The sentences of the demo's customer. The second one is about the locked account. */
export const CONVERSATION = [
  "Which accounts do I have?",
  "Please transfer 250 from my primary checking to my savings.",
  "My primary checking account seems to be blocked. Can you check it?",
] as const;
