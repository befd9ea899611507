import type { RebuildProgress } from "../../domain/rebuild-progress.ts";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Says that lists and graphs are not complete, for as long as that is so. */
export function RebuildNotice({ progress }: { progress: RebuildProgress | null }) {
  if (progress === null) return null;
  return (
    <Notice tone="warning" className="mb-4" title={`Rebuilding events: ${Math.floor(progress.share * 100)} % done`}>
      <p>
        The event database was lost. Culprit is rebuilding it from the stored payloads. {formatCount(progress.rows)}{" "}
        {progress.rows === 1 ? "row is" : "rows are"} back. Until then, lists, graphs and tags are incomplete. New
        events are safe on disk and appear afterwards. The counts of issues are correct.
      </p>
    </Notice>
  );
}
