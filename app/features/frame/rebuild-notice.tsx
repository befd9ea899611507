import type { RebuildProgress } from "../../domain/rebuild-progress.ts";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Says that lists and graphs are not complete, for as long as that is so. */
export function RebuildNotice({ progress }: { progress: RebuildProgress | null }) {
  if (progress === null) return null;
  return (
    <Notice tone="warning" className="mb-4" title={`Rebuilding events: ${Math.floor(progress.share * 100)} % done`}>
      <p>
        The database of events was lost, and Culprit is making it again from the stored payloads.{" "}
        {formatCount(progress.rows)} {progress.rows === 1 ? "row is" : "rows are"} back. Until it is done, lists, graphs
        and tags are not complete. New events are safe on disk and appear afterwards. Counts of issues are right.
      </p>
    </Notice>
  );
}
