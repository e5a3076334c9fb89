import { callChecks } from "./checks/call.ts";
import { chainChecks } from "./checks/chain.ts";
import { forgedHopChecks } from "./checks/forged-hops.ts";
import { guardChecks } from "./checks/guard.ts";
import { inputRequestChecks } from "./checks/input-requests.ts";
import { nextToolChecks } from "./checks/next-tool.ts";
import { onceInChainChecks, onceInPipeChecks } from "./checks/once.ts";
import { pipeChecks } from "./checks/pipe.ts";
import { pipeAudienceChecks } from "./checks/pipe-audience.ts";
import { pipeFailureChecks } from "./checks/pipe-failures.ts";
import { pipePauseChecks } from "./checks/pipe-pauses.ts";
import { pluginChecks } from "./checks/plugins.ts";
import { ruleChecks } from "./checks/rules.ts";
import { storeChecks } from "./checks/store.ts";
import { viewChecks } from "./checks/view.ts";
import type { Capabilities } from "./harness.ts";
import type { RequirementId } from "./requirements.ts";
import type { Check } from "./scenario.ts";

/** The checks by the ids of their requirements. */
export const checks: {
  readonly [Capability in keyof Capabilities]: Readonly<
    Record<RequirementId<Capability>, Check<Capability>>
  >;
} = {
  chain: {
    ...chainChecks,
    ...nextToolChecks,
    ...onceInChainChecks,
    ...forgedHopChecks,
    ...callChecks,
    ...inputRequestChecks,
    ...viewChecks,
    ...ruleChecks,
    ...pluginChecks,
  },
  pipe: {
    ...pipeChecks,
    ...onceInPipeChecks,
    ...pipeAudienceChecks,
    ...pipeFailureChecks,
    ...pipePauseChecks,
  },
  guard: guardChecks,
  store: storeChecks,
};
