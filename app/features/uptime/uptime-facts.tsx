import { Link } from "react-router";
import type { UptimeCheck, UptimeOutage } from "../../domain/uptime/uptime-monitor.ts";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { UptimeDayBars } from "./uptime-day-bars.tsx";
import { formatAvailability, formatMs, formatSpan } from "./uptime-words.ts";

/** A bar for each day, and a table with the same figures for people who do not see the bars. */
export function UptimeDays({
  days,
  availability,
}: {
  days: ReadonlyArray<{ at: number; availability: number | null }>;
  availability: number | null;
}) {
  return (
    <Panel title="30 days" actions={<p className="tabular text-sm">{formatAvailability(availability)}</p>}>
      <UptimeDayBars days={days} label="Checks that went well, by day (UTC)" />
    </Panel>
  );
}

export function UptimeOutages({ outages, now }: { outages: readonly UptimeOutage[]; now: number }) {
  return (
    <Panel title="Outages" isFlush={outages.length > 0}>
      {outages.length === 0 ? (
        <p className="text-muted text-sm">None is known.</p>
      ) : (
        <ul>
          {outages.map(({ startedAt, endedAt, reason }) => (
            <li
              key={startedAt}
              className="flex flex-wrap gap-x-4 gap-y-0.5 border-line border-t px-4 py-2 text-sm first:border-t-0"
            >
              <RelativeTime at={startedAt} />
              <span className="tabular">
                {endedAt === null
                  ? `down for ${formatSpan(now - startedAt)} so far`
                  : `down for ${formatSpan(endedAt - startedAt)}`}
              </span>
              <span className="wrap-anywhere min-w-0 basis-full text-muted sm:basis-auto">{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function UptimeChecks({ checks }: { checks: ReadonlyArray<UptimeCheck & { place: string | null }> }) {
  if (checks.length === 0) return null;
  return (
    <Panel
      title="Last checks"
      description="Each check is the first span of a trace. A server whose SDK continues traces has its own spans below it."
      isFlush
    >
      <ul>
        {checks.map(({ at, durationMs, reason, httpStatus, traceId, place }) => (
          <li
            key={traceId}
            className="flex flex-wrap gap-x-4 gap-y-0.5 border-line border-t px-4 py-1.5 text-sm first:border-t-0"
          >
            <RelativeTime at={at} className="w-20" />
            <span className="tabular w-16 text-right">{formatMs(durationMs)}</span>
            <span className="tabular w-10">{httpStatus ?? ""}</span>
            {place !== null && (
              <span className="max-w-40 truncate">
                <bdi>{place}</bdi>
              </span>
            )}
            <span className={reason === null ? "text-muted" : "text-error"}>{reason ?? "all well"}</span>
            <Link to={`/traces/${traceId}`} className="ml-auto text-muted text-xs hover:text-ink hover:underline">
              Trace
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
