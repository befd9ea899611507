import { Fragment } from "react";
import { type Block, type Inline, parseMarkdown } from "../../domain/markdown/parse-markdown.ts";

/** Shows what a person wrote, in the part of Markdown that `parseMarkdown` knows. No part of it is used as HTML. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown" dir="auto">
      {parseMarkdown(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move
        <BlockElement key={index} block={block} />
      ))}
    </div>
  );
}

function BlockElement({ block }: { block: Block }) {
  switch (block.kind) {
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "heading":
      return (
        <p className="font-semibold">
          <Inlines parts={block.parts} />
        </p>
      );
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((parts, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>
              <Inlines parts={parts} />
            </li>
          ))}
        </List>
      );
    }
    case "quote":
      return (
        <blockquote>
          <Lines lines={block.lines} />
        </blockquote>
      );
    case "paragraph":
      return (
        <p>
          <Lines lines={block.lines} />
        </p>
      );
  }
}

function Lines({ lines }: { lines: readonly Inline[][] }) {
  return lines.map((parts, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Fragment key={index}>
      {index > 0 && <br />}
      <Inlines parts={parts} />
    </Fragment>
  ));
}

function Inlines({ parts }: { parts: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  return parts.map((part, index) => <InlineElement key={index} part={part} />);
}

function InlineElement({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code>{part.text}</code>;
    case "link":
      return (
        <a href={part.url} rel="noreferrer nofollow" target="_blank">
          <Inlines parts={part.parts} />
        </a>
      );
    case "strong":
      return (
        <strong>
          <Inlines parts={part.parts} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inlines parts={part.parts} />
        </em>
      );
    case "deleted":
      return (
        <del>
          <Inlines parts={part.parts} />
        </del>
      );
  }
}
