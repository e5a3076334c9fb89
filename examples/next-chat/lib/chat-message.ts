import type { TypedTools } from "@toolrail/ai-sdk";
import type { UserContentParts } from "@toolrail/ai-sdk/page";
import type { InferUITools, UIMessage } from "ai";
import type { schemas, typed } from "./tools";

/** A message of this chat: typed tools, what is for the user alone, and the shop's widget. */
export type ChatMessage = UIMessage<
  unknown,
  UserContentParts & { widget: { sizes: string[] } },
  InferUITools<TypedTools<typeof schemas, typeof typed>>
>;
