import { vi } from "vitest";

// The whole suite of the core runs with the frameworks taken away.
vi.mock("ai", () => ({}));
vi.mock("langchain", () => ({}));
vi.mock("@langchain/core", () => ({}));
vi.mock("@langchain/langgraph", () => ({}));
