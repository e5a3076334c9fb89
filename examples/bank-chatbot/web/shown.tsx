import type { ShownBlock } from "../src/web-server/protocol.ts";

/** Content for the customer, word for word as the bank sent it. */
export function Shown({ blocks }: { readonly blocks: readonly ShownBlock[] }) {
  return (
    <div className="shown">
      {blocks.map((block, index) => (
        <Block key={`${index}-${block.type}`} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { readonly block: ShownBlock }) {
  switch (block.type) {
    case "text":
      return <p>{block.text}</p>;
    case "image":
      return <img src={block.url} alt="Sent by the bank" />;
    case "audio":
      return (
        <audio src={block.url} controls>
          <track kind="captions" />
        </audio>
      );
    case "link":
      return (
        <a href={block.url} target="_blank" rel="noopener noreferrer">
          {block.name}
        </a>
      );
    case "other":
      return (
        <p className="quiet-text">The bank sent something this page cannot show: {block.name}</p>
      );
  }
}
