import { CircleCheck, CircleDashed, OctagonAlert } from "lucide-react";
import { Panel } from "../../ui/card.tsx";
import { useNow } from "../../ui/clock.tsx";
import { formatAge } from "../../ui/format-age.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { sayDuration, wordsOfJob } from "./job-words.ts";
import type { JobItem } from "./list-jobs.server.ts";

/** Each background job with its last run, its next run, and its last failure. */
export function JobList({ jobs }: { jobs: readonly JobItem[] }) {
  return (
    <Panel title="Jobs" description="Figures are at most 20 seconds old. /metrics has them, too." isFlush>
      <ul className="divide-y divide-line">
        {jobs.map((job) => (
          <JobEntry key={job.name} job={job} />
        ))}
      </ul>
    </Panel>
  );
}

function JobEntry({ job }: { job: JobItem }) {
  const { lastRun, lastFailure, runs, failures } = job;
  const { title, what } = wordsOfJob(job.name);
  return (
    <li className="grid gap-1.5 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-base">{title}</h3>
        <JobState job={job} />
      </div>
      {what && <p className="text-muted text-sm">{what}</p>}
      <p className="text-sm">
        {lastRun === null ? (
          "Has not run yet."
        ) : (
          <>
            Last run <RelativeTime at={lastRun.startedAt} />, took {sayDuration(lastRun.durationMs)}.{" "}
            <NextRun job={job} />
          </>
        )}
      </p>
      {lastFailure && (
        <p className="wrap-anywhere text-sm">
          <span className={lastFailure.isCurrent ? "font-semibold text-error" : "text-muted"}>
            Last failure <RelativeTime at={lastFailure.at} />:
          </span>{" "}
          <code className="text-xs">{lastFailure.message}</code>
        </p>
      )}
      <p className="text-muted text-xs">
        {runs.toLocaleString("en")} {runs === 1 ? "run" : "runs"},{" "}
        {failures === 0 ? "none" : failures.toLocaleString("en")} failed
      </p>
    </li>
  );
}

/** The state as sign and word, so that not only the colour shows it. */
function JobState({ job }: { job: JobItem }) {
  const look = "inline-flex items-center gap-1 font-semibold text-xs [&_svg]:size-3.5";
  if (job.lastFailure?.isCurrent)
    return (
      <span className={`${look} text-error`}>
        <OctagonAlert aria-hidden="true" />
        failed
      </span>
    );
  if (job.lastRun === null)
    return (
      <span className={`${look} text-muted`}>
        <CircleDashed aria-hidden="true" />
        waiting
      </span>
    );
  return (
    <span className={`${look} text-resolved`}>
      <CircleCheck aria-hidden="true" />
      works
    </span>
  );
}

function NextRun({ job: { nextDueAt } }: { job: JobItem }) {
  const inMs = (nextDueAt ?? 0) - useNow();
  if (nextDueAt === null) return null;
  return inMs < 60_000 ? "Next one within a minute." : `Next one in ${formatAge(inMs)}.`;
}
