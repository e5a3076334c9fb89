import { describe } from "vitest";
import { attack } from "./every-path.ts";
import { everyPath } from "./fixtures/every-path.ts";

const paths = everyPath.filter(({ name }) => name.startsWith("langgraph"));

describe.each(paths)("a model that calls by $name", attack);
