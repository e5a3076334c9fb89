// The bank's MCP server as a separate process, over Streamable HTTP on a free loopback port. It prints {"url": "..."} when it is
// ready, and ends when its stdin does, since its starter is gone then.
//   node bank-server.ts [--sign-in]
// --sign-in asks for a PIN, and offers buttons and fields.
import { parseArgs } from "node:util";
import { createBankStore } from "./bank-store.ts";
import { createBankServer } from "./bank-tools.ts";
import { serveHttp } from "./server/serve-http.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { "sign-in": flag } });
const store = createBankStore();
const { url, close } = await serveHttp(() => {
  return createBankServer({ store, signIn: values["sign-in"] });
});
process.stdout.write(`${JSON.stringify({ url })}\n`);
process.once("SIGTERM", stop).once("SIGINT", stop);
process.stdin.once("end", stop).once("close", stop).resume();

function stop(): void {
  void close().finally(() => process.exit(0));
}
