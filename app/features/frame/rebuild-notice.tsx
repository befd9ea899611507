import type { RebuildProgress } from "../../domain/rebuild-progress.ts";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Says that lists and graphs are not complete, for as long as that is so. */
export function RebuildNotice({ progress }: { progress: RebuildProgress | null }) {
  if (progress === null) return null;
  const share = `${Math.floor(progress.share * 100)} %`;
  if (progress.step === "noting") {
    return (
      <Notice
        tone="warning"
        className="mb-4"
        title={`Rebuilding events: ${share} of the stored payloads looked through`}
      >
        <p>
          The event database was lost. Culprit first reads which events there were, then brings them back. Until then,
          lists and graphs have none of them, and new events wait on disk. The counts of issues are correct.
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="warning" className="mb-4" title={`Rebuilding events: ${share} done`}>
      <p>
        The event database was lost. Culprit is rebuilding it from the stored payloads, the newest day first.{" "}
        {formatCount(progress.rows)} {progress.rows === 1 ? "row is" : "rows are"} back. Until it is done, lists, graphs
        and tags are incomplete. New events appear as usual. The counts of issues are correct.
      </p>
    </Notice>
  );
}
