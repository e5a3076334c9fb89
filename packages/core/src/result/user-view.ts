import type { ContentBlock } from "./content-block.ts";
import { isForModel, isForUser, type ResultSource, resultsOf } from "./model-view.ts";

/** What a user is shown of a result. */
export interface UserView {
  /** All blocks for the user, in order, including annotations. */
  readonly content: readonly ContentBlock[];
  /** Those of them that the model does not get, and so cannot relay: show them word for word. */
  readonly verbatim: readonly ContentBlock[];
}

/** What a user is shown of a result, by `annotations.audience` (MCP 2025-11-25): absent means the model and the user. */
export function userView(source: ResultSource): UserView {
  const content = resultsOf(source).flatMap((result) => result.content.filter(isForUser));
  return { content, verbatim: content.filter((block) => !isForModel(block)) };
}
