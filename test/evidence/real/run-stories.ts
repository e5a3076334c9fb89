import { openModel, readEndpoint } from "./model.ts";
import { STORIES } from "./stories.ts";

export interface RealOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The stories to run. Default: all. */
  readonly only?: readonly string[];
  /** How often each story is run. Default 1. */
  readonly runs?: number;
  /** Dollars for a million tokens, prompts and answers alike. Default: no costs are named. */
  readonly price?: number | undefined;
  /** Asks before anything is sent. */
  readonly confirm: () => Promise<boolean>;
  readonly print: (line: string) => void;
}

/** Says what it will cost, asks, and runs the stories on a real model. False if the reader says no. */
export async function runStories(options: RealOptions): Promise<boolean> {
  const { env, only = Object.keys(STORIES), runs = 1, price, confirm, print } = options;
  const endpoint = readEndpoint(env);
  const chosen = only.map((name) => {
    const story = STORIES[name];
    if (!story) throw new Error(`There is no story "${name}": ${Object.keys(STORIES).join(", ")}.`);
    return { name, ...story };
  });
  print(`${endpoint.modelId} at ${endpoint.url}. Estimated, with room for mistakes:`);
  let tokens = 0;
  for (const { name, about, estimate } of chosen) {
    tokens += estimate.tokens * runs;
    print(
      `  ${name.padEnd(12)}${`${estimate.modelCalls * runs}`.padStart(5)} model calls ` +
        `${(estimate.tokens * runs).toLocaleString("en").padStart(9)} tokens   ${about}`,
    );
  }
  const dollars = price === undefined ? "" : `, $${((tokens / 1e6) * price).toFixed(2)}`;
  print(`  together about ${tokens.toLocaleString("en")} tokens${dollars}`);
  if (price === undefined) print("  (--price DOLLARS for a million tokens names the costs)");
  if (!(await confirm())) return false;

  const metered = openModel(endpoint);
  for (const { name, about, run } of chosen) {
    print(`\n${name}: ${about}`);
    for (let at = 1; at <= runs; at++) {
      const findings = await run(metered).catch((error: unknown) => {
        print(`  failed: ${error instanceof Error ? error.message : error}`);
        return [];
      });
      await metered.readCosts();
      for (const { what, outcome, modelCalls, tokens: spent } of findings) {
        print(
          `  ${runs > 1 ? `${at}. ` : ""}${what}: ${outcome}; ` +
            `${modelCalls} model calls, ${spent.toLocaleString("en")} tokens`,
        );
      }
    }
  }
  print(`
One model, ${runs === 1 ? "one run" : `${runs} runs`} of each story: that is an anecdote, and no benchmark. Tokens are those that the server names.`);
  return true;
}
