import { checkResult, recordCall } from "./after-call.ts";
import { type Layer, makeOnce, readResult, wrapCall } from "./around-call.ts";
import {
  allowTool,
  authorize,
  checkCallArguments,
  compareApproval,
  findTool,
  recallApproval,
  takeChanges,
  takeReply,
  transformArguments,
} from "./before-call.ts";
import type { Hooks } from "./hooks.ts";
import type { Stages, Step } from "./passage.ts";
import { sendRequest } from "./send-call.ts";

interface Around extends Pick<Step, "for"> {
  readonly around: Layer;
}

/** The stages of every call in their order, whoever makes it. A stage that no plugin uses is left out. */
const STAGES = {
  /** The stages of `host.check`. */
  check: [
    { run: recallApproval },
    { run: findTool },
    { stage: "allow", run: allowTool },
    { run: takeChanges },
    {
      stage: "arguments",
      run: transformArguments,
      for: ["resolveArguments", "transformArguments"],
    },
    { stage: "arguments", run: compareApproval },
    { run: checkCallArguments },
    { stage: "authorize", run: authorize },
  ],
  /** The stages of a call that is really made, before it is sent. */
  begin: [{ run: takeReply }],
  /** The stages around the request, from the outside in. */
  send: [
    { around: makeOnce },
    { around: readResult },
    { around: wrapCall, for: ["wrapCall"] },
    { around: sendRequest },
  ],
  /** The stages after the answer. The next call is decided in `chain/next-hop.ts`. */
  finish: [{ run: checkResult }, { run: recordCall }],
} as const satisfies {
  readonly [Part in "check" | "begin" | "finish"]: readonly Step[];
} & { readonly send: readonly Around[] };

export function usedStages(hooks: Hooks): Stages {
  const used = <One extends Pick<Step, "for">>(all: readonly One[]) =>
    all.filter((one) => one.for === undefined || one.for.some((name) => hooks[name] !== undefined));
  const send = used<Around>(STAGES.send).reduceRight<Stages["send"]>(
    (next, { around }) =>
      (sending) =>
        around(sending, next),
    () => Promise.reject(new Error("Nothing sends the call.")),
  );
  const { check, begin, finish } = STAGES;
  return { check: used<Step>(check), begin: used<Step>(begin), send, finish: used<Step>(finish) };
}
