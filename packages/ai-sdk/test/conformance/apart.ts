/** The reason for which a harness leaves out a capability. */
export const APART = "Another function does that, and has a harness of its own.";

export const REJECTS = "The SDK rejects a run that was aborted, so that it has no outcome.";
