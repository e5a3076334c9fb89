import { vi } from "vitest";

// The whole suites of the packages that know no framework run with the frameworks taken away.
vi.mock("ai", () => ({}));
vi.mock("langchain", () => ({}));
vi.mock("@langchain/core", () => ({}));
vi.mock("@langchain/langgraph", () => ({}));
