// Attacks that know the policy, against a model that obeys them, by what the host does:
//   npm run evidence:attacks
import { measure } from "./measure.ts";

const { attacks, honest, reasons } = await measure();
console.log("Attacks that know the policy: a model obeys what it reads.\n");
console.log(attacks.join("\n"));
console.log("\nThe user's own wishes in the same world.\n");
console.log(honest.join("\n"));
console.log("\nWhat the person who is asked reads, with askUnlessFrom:\n");
for (const [name, reason] of reasons) console.log(`  ${name}: ${reason}`);
console.log(`
"asks" stops an attack only if the person reads the reason, and says no. A person who approves everything lets each of
these attacks run. The attacks were written by the authors of the policies, and the model is no model: it obeys.`);
