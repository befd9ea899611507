import { useState } from "react";
import type { SentryEvent } from "../../domain/event.ts";
import { Panel } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

/**
 * The event as Culprit stores it, mapped with source maps that were uploaded since. It is drawn when it is opened, because it is as
 * long as the rest of the page.
 */
export function EventJson({ event }: { event: SentryEvent }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel
      id="json"
      title="JSON"
      actions={
        <>
          <a href={`/events/${event.event_id}/json`} className="text-link text-sm">
            Open raw
          </a>
          <CopyButton text={() => JSON.stringify(event, null, 2)} label="Copy JSON" variant="quiet" />
        </>
      }
    >
      <details className="fold" onToggle={(toggled) => setIsOpen(toggled.currentTarget.open)}>
        <summary>Show the event as it is stored</summary>
        {isOpen && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <pre className="stack-raw" tabIndex={0}>
            {JSON.stringify(event, null, 2)}
          </pre>
        )}
      </details>
    </Panel>
  );
}
