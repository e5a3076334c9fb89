import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { parallelFetch, searchFetchExtract } from "./specs.ts";

/** A question to a model, and the pipe that answers it. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly spec: string;
  readonly vars: JsonObject;
}

/** Both examples of the contract. The second one has its pages given, which are on the bundled site. */
export function questionsAbout(siteUrl: string): readonly [Question, Question] {
  const q = "mcp protocol overview";
  const golang = {
    q: "golang",
    u1: `${siteUrl}/golang-language`,
    u2: `${siteUrl}/golang-concurrency`,
  };
  return [
    {
      title: "Search, fetch, extract",
      text: `What does the web say about "${q}"?`,
      spec: searchFetchExtract,
      vars: { q },
    },
    {
      title: "Two pages at once",
      text: `What do ${golang.u1} and ${golang.u2} say about "${golang.q}"?`,
      spec: parallelFetch,
      vars: golang,
    },
  ];
}

/** A question put to a model through a framework. */
export interface Asking {
  readonly host: Host;
  readonly modelUrl: string;
  readonly question: string;
  /** `mcp_pipe` alone, or the server's tools: then the model carries everything from one to the next. */
  readonly tools: "mcp_pipe" | "plain";
}
