import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const pay = { id: "pay", tool: "pay", args: { v: "pay" } };
const BEFORE = { steps: [say("a"), pay, say("z")] };
const resume = { decisions: [{ type: "approve" }] };
const CONFIG = { configurable: { thread_id: "1" } };

const LATER = [
  { change: "another argument of a step that has ended", steps: [say("a", "b"), pay, say("z")] },
  { change: "a step more before the one that waits", steps: [say("a"), say("n"), pay, say("z")] },
  { change: "a step less", steps: [pay, say("z")] },
  { change: "another order", steps: [pay, say("a"), say("z")] },
  {
    change: "another argument of the step that waits",
    steps: [say("a"), { ...pay, args: { v: "more" } }, say("z")],
  },
  { change: "a step of another kind", steps: [{ id: "a", parallel: [say("x")] }, pay, say("z")] },
  { change: "a step more at the end", steps: [say("a"), pay, say("z"), say("y")] },
];

describe("a thread that began with an older spec", () => {
  it.each(LATER)(
    "is refused after $change, and continues with the spec it began with",
    async ({ steps }) => {
      const authorize = ({ tool }: { tool: { name: string } }) =>
        (tool.name === "pay" ? "ask" : "allow") as "ask" | "allow";
      const { host, web } = await openPipeHost({ echo, pay: echo }, { authorize });
      const checkpointer = new MemorySaver();
      await compilePipe(host, { spec: BEFORE, checkpointer }).invoke({}, CONFIG);
      expect(said(web)).toEqual(["a"]);
      const newer = compilePipe(host, { spec: { steps }, checkpointer });
      await expect(newer.invoke(new Command({ resume }), CONFIG)).rejects.toThrow(
        /older|another version/,
      );
      expect(said(web)).toEqual(["a"]);
      const same = compilePipe(host, { spec: BEFORE, checkpointer });
      expect(await same.invoke(new Command({ resume }), CONFIG)).toMatchObject({ ok: true });
      expect(said(web)).toEqual(["a", "pay", "z"]);
    },
  );
});
