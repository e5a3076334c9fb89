import { guide, type Statement } from "./sources.ts";

const pipe = (behaviour: string) => guide("pipe", behaviour);

export const pipeRequirements = {
  // Running.
  "pipe/sequential": pipe("Steps run in order and hand their outputs on, as text and typed."),
  "pipe/parallel": pipe("The outputs of a group are read by its children."),
  "pipe/at-the-same-time": pipe("The children of a group run at the same time."),
  "pipe/nested": pipe("A pipe runs in a pipe, and its vars overlay those around it."),
  "pipe/input-forms": pipe("A spec is an object or a text, bare or under the key spec."),
  "pipe/nulls": pipe(
    "A member that is null counts as left out, and a value that is null does not.",
  ),
  "pipe/ids": pipe("The id of a step is any text."),
  "pipe/one-call": pipe("A step makes one call: the nextTool of its result is not called."),
  "pipe/never-reread": pipe("Inserted text is never read as a reference or a command."),
  "pipe/abort": pipe("An aborted pipe stops, and begins no further call."),
  "pipe/abort-kept": pipe("An aborted pipe is reported with the steps that it finished."),
  // Limits.
  "pipe/long": pipe("A pipe of 50 steps runs."),
  "pipe/deep": pipe("A pipe of five levels runs."),
  "pipe/parallel-limit": pipe("Eight calls run at once and no more, nested groups included."),
  "pipe/too-many-steps": pipe("A pipe of 51 steps is refused, all kinds counted."),
  "pipe/too-deep": pipe("A pipe of six levels is refused."),
  // Failures.
  "pipe/refused": pipe("A wrong spec is refused before any call, and the place is named."),
  "pipe/stops": pipe("A pipe stops at the first failure and keeps every result."),
  "pipe/continues": pipe("With continue_on_error a pipe goes on after a failure, and is not ok."),
  "pipe/no-call": pipe("A step that reads the output of one that made no call is refused."),
  "pipe/group-fails": pipe(
    "A group fails with its children in the order of the spec; their siblings finish, and no later step begins.",
  ),
  "pipe/nested-fails": pipe("A nested pipe fails by its own continue_on_error."),
  "pipe/nested-vars": pipe("A nested pipe whose vars cannot be read fails."),
  "pipe/return-missing": pipe("A pipe whose return cannot be read is not ok."),
  "pipe/arguments": pipe("Arguments that break the schema once they are known are not sent."),
  "pipe/denied": pipe("A step that authorize denies is not sent."),
  // Waiting.
  "pipe/waits": pipe("A step that needs a person waits, and nothing after it has begun."),
  "pipe/goes-on": pipe("A pipe continues after its steps were approved, and repeats no call."),
  "pipe/changes": pipe(
    "A person who approves a step may change its arguments: these are sent, and it is recorded.",
  ),
  "pipe/changes-read": pipe("A model reads that a person changed the arguments of a step."),
  "pipe/waits-again": pipe("Steps side by side wait together, and a later one after them."),
  "pipe/wait-denied": pipe("A step that a person refuses fails, and makes no call."),
  // Policies and listeners.
  "pipe/authorizes": pipe("Authorize is asked about each step before it is run."),
  "pipe/told-once": pipe("The host's onHop is told of each call of a pipe exactly once."),
  "pipe/recorded": pipe("Every call, and the pipe, are recorded under one id."),
  // The result, and the model's view of it.
  "pipe/output-format": pipe("A result has every field of the output format."),
  "pipe/no-raw-results": pipe("References see the fields of a step, and no raw result."),
  "pipe/user-alone": pipe("Content for the user alone is hidden in result_for_model."),
  "pipe/last-for-user": pipe("Content for the user alone is hidden in a pipe without return too."),
  "pipe/handed-on": pipe("Content for the user alone is handed to other steps."),
  "pipe/for-both": pipe("What is for the model as well is not hidden."),
  "pipe/model-hidden": pipe("A model reads nothing that was for the user alone, by any path."),
  "pipe/model-shown": pipe("A model reads what a pipe returns for it as well."),
  "pipe/small-reply": pipe("A model never reads the output of every step."),
} as const satisfies Readonly<Record<string, Statement>>;
