import type { AppView, Mode } from "../src/web-server/protocol.ts";

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  "ai-sdk": "AI SDK",
  langgraph: "LangGraph",
  guard: "Guard mode",
};

interface HeaderProps {
  readonly app: AppView | undefined;
  readonly mode: Mode | undefined;
  onStart(mode: Mode): void;
}

export function Header({ app, mode, onStart }: HeaderProps) {
  return (
    <header className="header">
      <div className="brand">
        <Logo />
        <h1>Demo Bank</h1>
        <span className="brand-note">Assistant</span>
      </div>
      <div className="header-actions">
        {app && app.modes.length > 1 && (
          <fieldset className="modes">
            <legend className="visually-hidden">Answered by</legend>
            {app.modes.map((one) => (
              <label key={one} className="mode">
                <input
                  type="radio"
                  name="mode"
                  checked={one === mode}
                  disabled={!mode}
                  onChange={() => onStart(one)}
                />
                <span>{MODE_NAMES[one]}</span>
              </label>
            ))}
          </fieldset>
        )}
        <button
          type="button"
          className="button quiet"
          aria-label="New conversation"
          disabled={!mode}
          onClick={() => mode && onStart(mode)}
        >
          New<span className="wide-only"> conversation</span>
        </button>
      </div>
    </header>
  );
}

function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M11 6v20M21 6v20M8 11h16M8 16h16M8 21h16" />
    </svg>
  );
}
