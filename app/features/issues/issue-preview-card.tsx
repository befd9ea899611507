import { RelativeTime } from "../../ui/relative-time.tsx";
import type { IssuePreview } from "./get-issue-preview.server.ts";

/** The latest event on a small card. Null: it is loading. */
export function IssuePreviewCard({
  shortId,
  preview,
  hasKeys,
}: {
  shortId: string;
  preview: IssuePreview | "failed" | null;
  /** Whether it was opened by keyboard. Then it names the keys to go on. */
  hasKeys: boolean;
}) {
  if (preview === null) return <p className="issue-preview-note">Looking at the latest event of {shortId} …</p>;
  if (preview === "failed")
    return <p className="issue-preview-note">The latest event of {shortId} could not be read.</p>;
  const { message, stack, event } = preview;
  return (
    <>
      <p className="issue-preview-head">
        <span className="font-mono">{shortId}</span>
        {event && (
          <span>
            latest event <RelativeTime at={event.occurredAt} />
          </span>
        )}
      </p>
      {message && <p className="issue-preview-message">{message}</p>}
      {stack ? (
        <ol className="issue-preview-stack" aria-label="Top of the stack">
          {stack.frames.map((frame, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the frames of an event do not move
            <li key={index} data-first={index === 0 || undefined}>
              <span className="issue-preview-function">{frame.function}</span>
              {frame.place && (
                <span className="issue-preview-place">
                  {frame.place}
                  {frame.position}
                </span>
              )}
              {frame.contextLine && <code>{frame.contextLine}</code>}
            </li>
          ))}
        </ol>
      ) : (
        <p className="issue-preview-note">
          {event ? "It came with no stack." : "The latest event is not kept any more."}
        </p>
      )}
      {stack && (!stack.isInApp || stack.otherCount > 0) && (
        <p className="issue-preview-rest">
          {stack.isInApp ? "" : "No frame is in the application. "}
          {stack.otherCount > 0 && `${stack.otherCount} more ${stack.otherCount === 1 ? "frame" : "frames"}`}
        </p>
      )}
      {event && event.tags.length > 0 && (
        <dl className="issue-preview-tags">
          {event.tags.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {hasKeys && (
        <p className="issue-preview-keys" aria-hidden="true">
          <kbd className="kbd">j</kbd> <kbd className="kbd">k</kbd> next, previous · <kbd className="kbd">Enter</kbd>{" "}
          open · <kbd className="kbd">Esc</kbd> close
        </p>
      )}
    </>
  );
}
