import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CompareOptions, compare } from "../compare.ts";
import { START } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { ratioOf } from "../spread.ts";

const BIN = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
const SDK = import.meta.resolve("@modelcontextprotocol/sdk/client/index.js");

function run(...args: string[]): void {
  try {
    execFileSync(process.execPath, args, { stdio: "ignore" });
  } catch {
    // Misuse ends with 2, which is what is measured.
  }
}

/** What a process takes to start, up to its help and up to the first server. */
export function measureCommandStart({ forMs }: CompareOptions): Promise<readonly Row[]> {
  const runs = {
    sdk: () => run("--input-type=module", "-e", `await import(${JSON.stringify(SDK)})`),
    help: () => run(BIN, "--help"),
    call: () => run(BIN, "call", "a.b"),
  };
  return remeasure(async () => {
    const { sdk, help, call } = await compare(runs, { forMs });
    const place = { group: START, unit: "x" } as const;
    return [
      ...rowsOf({ ...place, at: "--help" }, { toolrail: ratioOf(help, sdk) }),
      ...rowsOf({ ...place, at: "a call, up to its server" }, { toolrail: ratioOf(call, sdk) }),
    ];
  });
}
