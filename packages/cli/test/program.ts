/**
 * The flags that name a server `a`: a program that answers each request with what a piece of code makes
 * of it. The code holds no `'`.
 */
export function program(answer: string): string[] {
  const script = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const welcome = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "a", version: "1" } };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      ${answer}
    });`;
  return ["--server", `a="${process.execPath}" -e '${script.replaceAll("\n", " ")}'`];
}

/** Takes the connection. */
export const WELCOME = `if (method === "initialize") send({ id, result: welcome });`;
