import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { DELETION_KINDS, DELETION_PHASES, sayCount } from "./deletion-words.ts";
import type { DeletionItem } from "./list-deletions.server.ts";

/** Deletions: who deleted what and when, how much it was, and the progress. */
export function DeletionList({ deletions }: { deletions: readonly DeletionItem[] }) {
  if (deletions.length === 0) {
    return (
      <EmptyState title="Nothing was deleted yet">
        An issue and an event have a button that deletes them, and the form above deletes what one user sent. What was
        deleted is listed here, and nothing of it is kept.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface" aria-label="Deletions">
      {deletions.map(({ id, kind, label, askedAt, userName, phase, eventCount, itemCount, doneAt, progress }) => (
        <li key={id} className="grid gap-1 p-4 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span>
              {DELETION_KINDS[kind]} <strong className="font-mono">{label}</strong>
            </span>
            <Badge tone={phase === "done" ? "resolved" : "info"}>{DELETION_PHASES[phase].label}</Badge>
          </p>
          <p className="text-muted text-xs">
            {kind === "project" ? sayCount(itemCount, "event or item") : sayCount(eventCount, "event")}
            {kind !== "project" && itemCount > 0 && `, ${sayCount(itemCount, "other item")}`} · deleted by{" "}
            {userName ?? "a token"} <RelativeTime at={askedAt} />
            {doneAt !== null && (
              <>
                {" "}
                · gone from payload files, journals and logs <RelativeTime at={doneAt} />
              </>
            )}
          </p>
          {progress !== null ? (
            <p className="flex flex-wrap items-center gap-2 text-muted text-xs">
              <progress aria-label="Looked through" max={Math.max(1, progress.totalRows)} value={progress.doneRows} />
              {progress.doneRows.toLocaleString("en")} of {sayCount(progress.totalRows, "event or item")} looked through
            </p>
          ) : (
            phase !== "done" && <p className="text-muted text-xs">{DELETION_PHASES[phase].what}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
