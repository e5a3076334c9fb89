import { runConformance } from "@toolrail/conformance";
import Keyv from "keyv";
import { describe, it } from "vitest";

const NO_CLAIM = "Keyv has no claim.";
const keyv = new Keyv();

runConformance(
  {
    name: "Keyv",
    store: () => keyv,
    exempt: {
      "store/claims-once": NO_CLAIM,
      "store/claims-expired": NO_CLAIM,
      "store/claims-deleted": NO_CLAIM,
      "store/claims-kept": NO_CLAIM,
      "store/settles": NO_CLAIM,
    },
  },
  { describe, it },
);
