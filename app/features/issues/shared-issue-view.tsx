import type { ExceptionRelation } from "../../domain/exception-relation.ts";
import type { SharedIssue } from "../../domain/issues/shared-issue.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Panel } from "../../ui/card.tsx";
import { CulpritMark } from "../../ui/culprit-mark.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Notice } from "../../ui/notice.tsx";

const LEADS: Readonly<Record<ExceptionRelation["kind"], string>> = {
  member: "Member of the group: ",
  suppressed: "Suppressed: ",
  context: "Caused by ",
  cause: "Caused by ",
};

/** What people without an account see of an issue, and what is left out. */
export function SharedIssueView({ issue, expiresAt }: { issue: SharedIssue; expiresAt: number }) {
  return (
    <main id="main" className="mx-auto grid w-full max-w-[56rem] grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8">
      <div className="flex items-center gap-2 text-muted text-sm">
        <CulpritMark className="size-6" />A shared issue
      </div>
      <header className="grid gap-2">
        <h1 className="wrap-anywhere font-mono text-2xl">
          <bdi>{issue.title}</bdi>
        </h1>
        <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm" aria-label="Facts of this issue">
          <li className="font-mono">{issue.shortId}</li>
          <li>
            <LevelMark level={issue.level} showWord />
          </li>
          <li>{issue.status}</li>
          <li>{issue.platform}</li>
          <li>{issue.eventCount === 1 ? "1 event" : `${issue.eventCount.toLocaleString("en")} events`}</li>
          <li>
            first seen <AbsoluteTime at={issue.firstSeenAt} />
          </li>
          <li>
            last seen <AbsoluteTime at={issue.lastSeenAt} />
          </li>
        </ul>
      </header>
      <Notice title="A part of the issue, for people without an account">
        <p>
          Left out are variables, lines of source, frames of libraries, users, addresses, request data, breadcrumbs,
          tags, attachments and comments. In messages, addresses, quoted values and long numbers are masked (…). The
          link works until <AbsoluteTime at={expiresAt} />.
        </p>
      </Notice>
      {issue.stacks.length === 0 && (
        <p className="text-muted text-sm">Its latest event has no exception, or its details are not stored any more.</p>
      )}
      {issue.stacks.map(({ type, message, relation, frames, otherFrameCount }, index) => (
        <Panel
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          key={index}
          title={
            <bdi className="wrap-anywhere font-mono">
              {relation !== null && LEADS[relation]}
              {type}
            </bdi>
          }
          isFlush
        >
          {message && (
            <p className="wrap-anywhere border-line border-b px-4 py-2.5 font-mono text-sm">
              <bdi>{message}</bdi>
            </p>
          )}
          <ol className="divide-y divide-line">
            {frames.map((frame, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={position} className="wrap-anywhere px-4 py-2 font-mono text-sm">
                <strong>{frame.function}</strong>
                {frame.place !== null && (
                  <span className="text-muted">
                    {" "}
                    in {frame.place}
                    {frame.line !== null && `:${frame.line}`}
                  </span>
                )}
              </li>
            ))}
          </ol>
          {(frames.length === 0 || otherFrameCount > 0) && (
            <p className="border-line border-t px-4 py-2 text-muted text-xs">
              {frames.length === 0 && "No frame of the application’s own code. "}
              {otherFrameCount > 0 &&
                `${otherFrameCount === 1 ? "1 other frame is" : `${otherFrameCount.toLocaleString("en")} other frames are`} left out.`}
            </p>
          )}
        </Panel>
      ))}
    </main>
  );
}
