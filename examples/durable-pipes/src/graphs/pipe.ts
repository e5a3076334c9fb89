// A pipe as a graph of a LangGraph server, which brings the checkpointer.
import { compilePipe } from "@toolrail/langgraph/pipe";
import { SPEC } from "../spec.ts";
import { getBank } from "./get-bank.ts";

export const graph = async () => {
  const { host } = await getBank();
  return compilePipe(host, { spec: SPEC });
};
