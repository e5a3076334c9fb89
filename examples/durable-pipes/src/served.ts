// The same on LangGraph's development server, called over its SDK. Run it from this folder: npm run served
import { callServer } from "./call-server.ts";
import { print } from "./print.ts";
import { startDevServer } from "./start-dev-server.ts";

await using server = await startDevServer(Number(process.env.PORT ?? 7820));
print(`LangGraph's development server at ${server.url}`);
await callServer(server.url, print);
