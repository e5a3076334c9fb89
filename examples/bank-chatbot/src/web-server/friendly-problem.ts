import type { ToolrailErrorCode } from "@toolrail/core";

/** What a customer is told, by what went wrong. Details are for the log, not for the customer. */
export function toFriendlyProblem(code: ToolrailErrorCode | "model"): string {
  switch (code) {
    case "model":
      return "The assistant cannot answer right now. Please try again in a moment.";
    case "server-unavailable":
    case "connection":
      return "We lost the connection to the bank before it answered. Please try again in a moment.";
    case "timeout":
      return "The bank is taking longer than usual. Please try again in a moment.";
    case "aborted":
      return "Stopped, as you asked.";
    case "denied":
    case "not-allowed":
      return "This is not available in this conversation.";
    case "invalid-arguments":
      return "The bank cannot accept this value. Please check it and try again.";
    default:
      return "Something went wrong on our side. Please try again, or ask for a person.";
  }
}
