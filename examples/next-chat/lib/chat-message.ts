import type { TypedTools } from "@toolrail/ai-sdk";
import type { UserContentParts } from "@toolrail/ai-sdk/page";
import type { Hop } from "@toolrail/core";
import type { AppRef } from "@toolrail/plugins/apps";
import type { InferUITools, UIMessage } from "ai";
import type { schemas, typed } from "./tools";

/** A call whose result an app shows. */
export interface AppData extends Pick<Hop, "arguments" | "result"> {
  readonly app: AppRef;
}

/** A message of this chat: typed tools, what is for the user alone, the shop's widget, and apps of servers. */
export type ChatMessage = UIMessage<
  unknown,
  UserContentParts & { widget: { sizes: string[] }; app: AppData },
  InferUITools<TypedTools<typeof schemas, typeof typed>>
>;
