import { type ContentBlock, isForModel, isForUser } from "./content-block.ts";
import { answersOf, type ResultSource } from "./model-view.ts";

/** The content of a result for the user. */
export interface UserView {
  /** All blocks for the user, in order, including annotations. */
  readonly content: readonly ContentBlock[];
  /** The blocks that the model does not read, and so cannot repeat. Show them word for word. */
  readonly verbatim: readonly ContentBlock[];
}

/**
 * Returns the content of a result for the user. `annotations.audience` (MCP 2025-11-25) decides: a block without it is for
 * the model and the user.
 */
export function userView(source: ResultSource): UserView {
  const content = answersOf(source).flatMap(({ result }) => result.content.filter(isForUser));
  return { content, verbatim: content.filter((block) => !isForModel(block)) };
}
