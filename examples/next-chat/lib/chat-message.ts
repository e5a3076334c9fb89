import type { UserContentParts } from "@toolrail/ai-sdk/page";
import type { UIMessage } from "ai";

/** A message of this chat: with what is for the user alone, and the shop's widget. */
export type ChatMessage = UIMessage<unknown, UserContentParts & { widget: { sizes: string[] } }>;
