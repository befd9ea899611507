import type { Issue } from "../../domain/issue.ts";
import { sayArchiveRule, sayEscalationBounds } from "../../domain/issues/say-archive.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** Says that the issue is archived, since when, and what brings it back. */
export function ArchivedNotice({
  issue: { archive, statusChangedAt },
}: {
  issue: Pick<Issue, "archive" | "statusChangedAt">;
}) {
  if (archive === null) {
    return (
      <Notice>
        Archived <RelativeTime at={statusChangedAt} />. New events are counted, and nobody is told.
      </Notice>
    );
  }
  const { rule, seen, bounds } = archive;
  if (rule.kind === "escalates") {
    return (
      <Notice>
        Archived <RelativeTime at={statusChangedAt} /> {sayArchiveRule(rule)}. {bounds && sayEscalationBounds(bounds)}{" "}
        Until then, nobody is told.
      </Notice>
    );
  }
  return (
    <Notice>
      Archived <RelativeTime at={statusChangedAt} />{" "}
      {rule.kind === "until" ? (
        <>
          until <AbsoluteTime at={rule.until} />
        </>
      ) : (
        <>
          {sayArchiveRule(rule)}
          {rule.windowMinutes === null && ` (${seen.toLocaleString("en")} so far)`}
        </>
      )}
      . Then it comes back by itself. Until then, nobody is told.
    </Notice>
  );
}
