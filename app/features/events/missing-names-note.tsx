import { Info } from "lucide-react";
import type { SentryEvent } from "../../domain/event.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { findMissingNames } from "./missing-names.ts";

/** One line above a stack: frames of the app have no names. When it is opened, it says which command finds them. */
export function MissingNamesNote({ event }: { event: SentryEvent }) {
  const missing = findMissingNames(event);
  if (missing === null) return null;
  return (
    <details className="stack-causes" data-passing>
      <summary>
        <Info aria-hidden="true" />
        <span className="stack-causes-text">{missing.text}</span>
        <span className="stack-causes-more">How to find them</span>
      </summary>
      <div className="grid gap-2">
        <p className="wrap-anywhere">{missing.hint}</p>
        {missing.command !== null && <CodeBlock code={missing.command} label="Where the build is" isWrapped />}
      </div>
    </details>
  );
}
