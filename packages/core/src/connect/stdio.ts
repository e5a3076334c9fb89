import { notify } from "../call/notify.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { engineOf } from "../host/host-engine.ts";
import type { ConnectServer } from "../host/host-options.ts";
import type { StdioOptions } from "./process-transport.ts";

const check = /* @__PURE__ */ createOptionCheck<StdioOptions>("stdio", {
  env: "object",
  cwd: "text",
  onOutput: "function",
  protocol: /* @__PURE__ */ oneOf("2025-11-25", "2026-07-28", "auto"),
});

/**
 * Creates a server for `createHost` from a program that uses MCP over its standard input and output. The host starts it
 * without a shell when it is first needed and again after it has ended, and ends it with the host. Needs Node.
 */
export function stdio(
  command: string,
  args: readonly string[] = [],
  options: StdioOptions = {},
): ConnectServer {
  check(options);
  checkCommand(command, args);
  const { env = {} } = options;
  const wrong = Object.keys(env).find((name) => typeof env[name] !== "string");
  if (wrong !== undefined) throw invalidOptions(`\`env.${wrong}\` of stdio() must be a text.`);
  return async (host, connecting) => {
    const { startProgram } = await import("#start-program");
    const { onOutput, ...program } = options;
    const heard = onOutput && {
      onOutput: (...said: Parameters<typeof onOutput>) =>
        void notify({ onOutput: () => onOutput(...said) }, said, engineOf(host)),
    };
    return startProgram({ command, args, ...program, ...heard }, connecting);
  };
}

function checkCommand(command: unknown, args: unknown): void {
  if (typeof command !== "string" || command === "") {
    throw invalidOptions(
      "stdio() takes the command of a server as a text, and its arguments as a list.",
    );
  }
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) {
    throw invalidOptions(
      `The arguments of "${command}" must be a list of texts: stdio("npx", ["-y"]).`,
    );
  }
}
