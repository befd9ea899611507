import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { CronStateMark } from "./cron-state.tsx";
import { RUN_WORDS, sayDuration, sayOffset } from "./cron-words.ts";
import type { CronPage } from "./get-cron-page.server.ts";

export function CurlPanel({ page }: { page: CronPage }) {
  if (page.curl === null)
    return <Notice tone="warning" title="The project has no key that is switched on, so no check-in can come." />;
  return (
    <Panel
      title="End the line of your crontab with"
      description="With the exit status as the last part. SDKs and sentry-cli check in by the slug."
    >
      <CopyField label="The end of a line of a crontab" value={`; ${page.curl}`} />
    </Panel>
  );
}

export function MismatchNotice({ page, mayChange }: { page: CronPage; mayChange: boolean }) {
  const { mismatch, monitor } = page;
  if (mismatch === null) return null;
  const zone = monitor.config?.timezone ?? "UTC";
  const when = `${sayOffset(mismatch.offsetMinutes)} ${mismatch.offsetMinutes < 0 ? "early" : "late"}`;
  return (
    <Notice
      tone="warning"
      title={`Your pings come ${when}, ${mismatch.pingCount} out of ${mismatch.pingCount} times.`}
      actions={
        mayChange && (
          <>
            <ButtonForm name="intent" value="switch-zone" fields={{ timezone: mismatch.timezone }} size="sm">
              Switch to {mismatch.timezone}
            </ButtonForm>
            <ButtonForm name="intent" value="keep-zone" size="sm" variant="quiet">
              Neither: do not ask again
            </ButtonForm>
          </>
        )
      }
    >
      <p>
        The last ping came {mismatch.pingInZone}, and {mismatch.dueInZone} was due ({zone}). Does the server run in
        another time zone? In {mismatch.timezone} all {mismatch.pingCount} would have been on time.
      </p>
    </Notice>
  );
}

export function EnvironmentsPanel({ page, mayChange }: { page: CronPage; mayChange: boolean }) {
  const { environments } = page.monitor;
  if (environments.length === 0) return null;
  return (
    <Panel title="Environments" isFlush>
      <Table label="Environments">
        <TableHead>
          <Th>Environment</Th>
          <Th>State</Th>
          <Th>Last check-in</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </TableHead>
        <tbody>
          {environments.map(({ name, isPaused, state, lastCheckInAt, troubleAt }) => (
            <tr key={name}>
              <Td>{name}</Td>
              <Td>
                <CronStateMark state={isPaused ? "paused" : state} />
                {troubleAt !== null && (
                  <span className="block text-muted text-xs">
                    since <RelativeTime at={troubleAt} />
                  </span>
                )}
              </Td>
              <Td>
                <RelativeTime at={lastCheckInAt} />
              </Td>
              <Td isNumber>
                {mayChange && (
                  <ButtonForm
                    size="sm"
                    name="intent"
                    value={isPaused ? "resume" : "pause"}
                    fields={{ environment: name }}
                    aria-label={`${isPaused ? "Watch" : "Pause"} ${name}`}
                  >
                    {isPaused ? "Watch again" : "Pause"}
                  </ButtonForm>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

export function OutputPanel({ page }: { page: CronPage }) {
  const output = page.lastOutput;
  if (output === null) return null;
  return (
    <Panel
      title="Last output"
      actions={
        <span className="text-muted text-xs">
          {output.exitStatus !== null && `exit ${output.exitStatus}, `}
          <RelativeTime at={output.startedAt} />
        </span>
      }
      description="The end of it, 10 KB at most. Secrets are masked."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="cron-output" tabIndex={0}>
        {output.text}
      </pre>
    </Panel>
  );
}

export function DurationPanel({ page }: { page: CronPage }) {
  if (page.durations === null) return null;
  const { values, p95, longest } = page.durations;
  const words = `${values.length} ${values.length === 1 ? "run" : "runs"}, p95 ${sayDuration(p95)}, at most ${sayDuration(longest)}`;
  return (
    <Panel title="Took" actions={<span className="text-muted text-xs">{words}</span>}>
      <div className="cron-durations" role="img" aria-label={`Durations, oldest first: ${words}`}>
        {values.map(({ ms, isBad, at }) => (
          <span
            key={at}
            data-bad={isBad || undefined}
            title={sayDuration(ms)}
            style={{ blockSize: `${longest === 0 ? 0 : (ms / longest) * 100}%` }}
          />
        ))}
        <i style={{ insetBlockEnd: `${longest === 0 ? 0 : (p95 / longest) * 100}%` }} />
      </div>
    </Panel>
  );
}

export function RunsPanel({ page, path }: { page: CronPage; path: (change: { before: number }) => string }) {
  const hasEnvironments = page.monitor.environments.length > 1;
  return (
    <Panel title="Runs" isFlush>
      {page.runs.length === 0 ? (
        <p className="p-4 text-muted text-sm">No check-in has come yet. Nothing is missed before the first one.</p>
      ) : (
        <Table label="Runs">
          <TableHead>
            <Th>Began in {page.monitor.config?.timezone ?? "UTC"}</Th>
            <Th>Run</Th>
            {hasEnvironments && <Th>Environment</Th>}
            <Th isNumber>Took</Th>
            <Th isNumber>Exit</Th>
          </TableHead>
          <tbody>
            {page.runs.map((run) => {
              const { label, tone } = RUN_WORDS[run.status === "ok" && run.isLate ? "late" : run.status];
              return (
                <tr key={run.id}>
                  <Td className="tabular">{run.startedInZone}</Td>
                  <Td>
                    <span className={`cron-tone-${tone}`}>
                      {run.isLate && run.dueAt !== null && label === "late"
                        ? `${sayDuration(run.startedAt - run.dueAt)} late`
                        : label}
                    </span>
                    {run.dueAt === null && run.status !== "in_progress" && page.monitor.config !== null && (
                      <span className="text-muted text-xs"> not due then</span>
                    )}
                  </Td>
                  {hasEnvironments && <Td>{run.environment}</Td>}
                  <Td isNumber>{run.durationMs === null ? "—" : sayDuration(run.durationMs)}</Td>
                  <Td isNumber>{run.exitStatus ?? "—"}</Td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      )}
      {page.nextBefore !== null && (
        <p className="border-line border-t px-4 py-2 text-sm">
          <Link to={path({ before: page.nextBefore })} prefetch="intent" className="underline">
            Older runs
          </Link>
        </p>
      )}
    </Panel>
  );
}

export function IssuesPanel({ page }: { page: CronPage }) {
  return (
    <Panel
      title="Issues"
      actions={
        <Link to={page.issuesPath} prefetch="intent" className="text-xs underline">
          Search
        </Link>
      }
    >
      {page.issues.length === 0 ? (
        <p className="text-muted text-sm">It has opened none in the last 90 days.</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {page.issues.map(({ id, shortId, title, status, lastSeenAt }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-2">
              <Link to={`/issues/${shortId}`} prefetch="intent" className="font-semibold hover:underline">
                {shortId}
              </Link>
              <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
              <Badge tone={status === "resolved" ? "resolved" : status === "archived" ? "archived" : "error"}>
                {status}
              </Badge>
              <span className="text-muted text-xs">
                <RelativeTime at={lastSeenAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
