import { runConformance } from "@toolrail/conformance";
import { createMemoryStore } from "@toolrail/core/adapter";
import { describe, it } from "vitest";

const store = createMemoryStore({ maxBytes: 1e8, maxScopeBytes: 1e8, now: Date.now });

runConformance({ name: "the default memory", store: () => store }, { describe, it });
