/** The single-step guard of a host for the Vercel AI SDK. @module */

export {
  type GuardableSettings,
  type GuardedSettings,
  type SingleStepSettings,
  withSingleStep,
} from "./with-single-step.ts";
