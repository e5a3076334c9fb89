/** The single-step guard of a host for the Vercel AI SDK. @module */

export type { SingleStepSettings } from "./guarded-tools.ts";
export {
  type GuardableSettings,
  type GuardedSettings,
  withSingleStep,
} from "./with-single-step.ts";
