import type { SourceMapPass } from "../../domain/source-map-pass.ts";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useReadingAgain } from "../jobs/use-reading-again.ts";

const PAUSE_MS = 2_000;

/** The progress of reprocessing stored events with new uploads. While it runs, the page asks again two seconds after each answer. */
export function PassProgress({ pass }: { pass: SourceMapPass }) {
  const { isRunning, startedAt, endedAt, problem } = pass;
  useReadingAgain(isRunning, PAUSE_MS);
  if (startedAt === null) return null;
  if (isRunning) {
    return (
      <Notice tone="info" title="Stored events are being mapped with the new uploads">
        <p>
          {pass.doneIssueCount} of {pass.issueCount} issues, {said(pass)}.
        </p>
        <progress
          aria-label="Issues that were looked at"
          value={pass.doneIssueCount}
          max={Math.max(1, pass.issueCount)}
          className="w-full"
        />
      </Notice>
    );
  }
  if (problem !== null) {
    return (
      <Notice tone="error" title="Mapping stored events stopped">
        <p>{problem}</p>
      </Notice>
    );
  }
  if (pass.mappedEventCount === 0 || endedAt === null) return null;
  return (
    <Notice tone="done">
      <p>
        Uploads were applied to stored events <RelativeTime at={endedAt} />: {said(pass)}.
      </p>
    </Notice>
  );
}

function said({ mappedEventCount, doneEventCount, joinedIssueCount }: SourceMapPass): string {
  const joined =
    joinedIssueCount === 0 ? "" : `, ${joinedIssueCount} ${joinedIssueCount === 1 ? "issue" : "issues"} joined others`;
  return `${mappedEventCount.toLocaleString("en")} of ${doneEventCount.toLocaleString("en")} events have readable frames now${joined}`;
}
