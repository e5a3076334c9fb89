// Measures the costs of a model that carries a page through three tools. Run it from the root: npm run references
import { carryPage } from "./carry/carry-page.ts";
import { FRAMEWORKS, type Way } from "./carry/frameworks.ts";

const WAYS: readonly Way[] = ["relayed", "piped", "by reference"];
const LENGTHS = { "1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000 };

console.log("tokens on the wire of the provider (o200k) / calls of the model");
for (const framework of Object.keys(FRAMEWORKS)) {
  console.log(`\n${framework.padEnd(10)}${WAYS.map((way) => way.padStart(18)).join("")}`);
  for (const [name, length] of Object.entries(LENGTHS)) {
    const cells: string[] = [];
    for (const way of WAYS) {
      const { tokens, modelCalls, isWhole } = await carryPage(framework, { way, length });
      const cell = `${tokens.toLocaleString("en")} / ${modelCalls}`;
      cells.push((isWhole ? cell : `${cell}, cut`).padStart(18));
    }
    console.log(`${name.padEnd(10)}${cells.join("")}`);
  }
}
