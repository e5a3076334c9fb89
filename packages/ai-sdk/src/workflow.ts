/** The tools of a host for `WorkflowAgent` of `@ai-sdk/workflow`. @module */

export { toWorkflowTools, type WorkflowTools } from "./tools/to-workflow-tools.ts";
