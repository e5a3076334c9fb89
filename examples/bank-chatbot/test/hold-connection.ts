import { once } from "node:events";
import { connect } from "node:net";

/**
 * Connects and says nothing. What was received is given when the connection ends, as it does with the process
 * that holds the other end: by then another may have been given that process's port.
 */
export async function holdConnection({ hostname, port }: URL) {
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  let received = "";
  socket.on("data", (text) => {
    received += text;
  });
  await once(socket, "connect");
  const ended = new Promise<string>((resolve) => {
    socket.on("error", () => {}).on("close", () => resolve(received));
  });
  return { ended };
}
