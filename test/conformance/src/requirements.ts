import { chainRequirements } from "./requirements/chain.ts";
import { guardRequirements } from "./requirements/guard.ts";
import { pipeRequirements } from "./requirements/pipe.ts";
import type { Statement } from "./requirements/sources.ts";
import { storeRequirements } from "./requirements/store.ts";

const statements = {
  chain: chainRequirements,
  pipe: pipeRequirements,
  guard: guardRequirements,
  store: storeRequirements,
} as const;

type Capability = keyof typeof statements;

/** A behaviour that every implementation of a capability must have. */
export interface Requirement extends Statement {
  readonly id: RequirementId;
  readonly capability: Capability;
}

/** The ids of the requirements of a capability. */
export type RequirementId<Name extends Capability = Capability> = {
  [One in Name]: keyof (typeof statements)[One];
}[Name];

/** All requirements, in an order that reads like a specification. */
export const requirements: readonly Requirement[] = [
  ...list("chain", chainRequirements),
  ...list("pipe", pipeRequirements),
  ...list("guard", guardRequirements),
  ...list("store", storeRequirements),
];

function list<Id extends RequirementId>(
  capability: Capability,
  statements: Readonly<Record<Id, Statement>>,
): Requirement[] {
  const entries = Object.entries(statements) as [Id, Statement][];
  return entries.map(([id, statement]) => ({ id, capability, ...statement }));
}
