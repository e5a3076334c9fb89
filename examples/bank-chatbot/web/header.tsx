import type { Mode } from "../src/conversation/conversation-view.ts";
import { Button } from "./button.tsx";

const MODES: readonly (readonly [Mode, string])[] = [
  ["ai-sdk", "AI SDK"],
  ["langgraph", "LangGraph"],
  ["guard", "Guard mode"],
];

interface HeaderProps {
  readonly mode: Mode | undefined;
  onStart(mode: Mode): void;
}

export function Header({ mode, onStart }: HeaderProps) {
  return (
    <header className="header">
      <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M11 6v20M21 6v20M8 11h16M8 16h16M8 21h16" />
      </svg>
      <h1>Demo Bank</h1>
      <Button disabled={!mode} onClick={() => mode && onStart(mode)}>
        Start over
      </Button>
      <fieldset className="modes">
        <legend className="visually-hidden">Answered by</legend>
        {MODES.map(([one, name]) => (
          <label key={one} className="mode">
            <input type="radio" name="mode" checked={one === mode} onChange={() => onStart(one)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </header>
  );
}
