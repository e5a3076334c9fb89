import type { Mode } from "../src/conversation/conversation-view.ts";
import { Button } from "./button.tsx";

interface Story {
  readonly title: string;
  readonly says: string;
}

const LOCKED = "My primary checking seems to be blocked. Can you check it?";
const MAIL = "Is there any mail for me?";

const STORIES: readonly Story[] = [
  {
    title: "A result that names the next tool",
    says: "Transfer 250 from my primary checking to my savings.",
  },
  { title: "A mail that gives orders", says: MAIL },
  {
    title: "A large transfer waits for you",
    says: "Transfer 5000 from my savings to my everyday current.",
  },
  { title: "Forms that need no model", says: "I would like to transfer money." },
  { title: "A specialist takes over", says: LOCKED },
];

const GUARD_STORIES: readonly Story[] = [
  {
    title: "Two calls in one question",
    says: "What are the balances of my savings and my vacation fund?",
  },
  { title: "A result that names the next tool", says: LOCKED },
  {
    title: "A call that the list leaves to you",
    says: "Transfer 50 from my savings to my everyday current.",
  },
  { title: "A tool that is not on the list", says: MAIL },
];

const BILLS: Story = { title: "Three bills in one pipe", says: "Please pay my three open bills." };

interface StoriesProps {
  readonly mode: Mode;
  readonly hasBills: boolean;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  onSend(text: string): void;
}

/** Sentences to try, each with what there is to see. */
export function Stories({ mode, hasBills, isOpen, isBusy, onSend }: StoriesProps) {
  const usual = hasBills && mode === "ai-sdk" ? [BILLS, ...STORIES] : STORIES;
  const stories = mode === "guard" ? GUARD_STORIES : usual;
  return (
    <details className="stories" open={isOpen}>
      <summary>Stories to try</summary>
      <ul>
        {stories.map(({ title, says }) => (
          <li key={title}>
            <Button look="story" disabled={isBusy} onClick={() => onSend(says)}>
              <span className="story-title">{title}</span>
              <span className="quiet-text">{says}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
