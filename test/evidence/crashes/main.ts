// Kills the process of an order at every write of a checkpoint and in every call, and counts what was done twice or not at all:
//   npm run evidence:crashes
import { measure } from "./measure.ts";

console.log(
  "An order of three calls, whose process dies once; another goes on from its checkpoints.\n",
);
console.log((await measure()).join("\n"));
console.log(`
The processes are simulated: what a dead one does never ends. Writes are synchronous (durability "sync"), the shop knows no
idempotency keys unless it is said, and the person who is asked looks into its books and answers right.`);
process.exit();
