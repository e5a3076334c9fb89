import type { Mode } from "../src/conversation/conversation-view.ts";
import { Button } from "./button.tsx";

const LOCKED = "My primary checking seems to be blocked. Can you check it?";

/** The sentences to try, by what each of them shows. */
const STORIES = {
  "A result that names the next tool": "Transfer 250 from my primary checking to my savings.",
  "A large transfer waits for you": "Transfer 5000 from my savings to my everyday current.",
  "Forms that need no model": "I would like to transfer money.",
  "A specialist takes over": LOCKED,
};

const GUARD_STORIES = {
  "Two calls in one question": "What are the balances of my savings and my vacation fund?",
  "A result that names the next tool": LOCKED,
  "A call that the list leaves to you": "Transfer 50 from my savings to my everyday current.",
};

interface StoriesProps {
  readonly mode: Mode;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  onSend(text: string): void;
}

/** A list of sentences to try in a mode. Each is sent when it is chosen. */
export function Stories({ mode, isOpen, isBusy, onSend }: StoriesProps) {
  const stories = mode === "guard" ? GUARD_STORIES : STORIES;
  return (
    <details className="stories" open={isOpen}>
      <summary>Stories to try</summary>
      <ul>
        {Object.entries(stories).map(([title, text]) => (
          <li key={title}>
            <Button look="story" disabled={isBusy} onClick={() => onSend(text)}>
              <span className="story-title">{title}</span>
              <span className="quiet-text">{text}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
