import type { PublicMonitor } from "../../domain/uptime/status-page.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { CulpritMark } from "../../ui/culprit-mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { PublicStatus } from "./get-public-status.server.ts";
import { UptimeDayBars } from "./uptime-day-bars.tsx";
import { formatAvailability, formatSpan } from "./uptime-words.ts";

const WORDS = { up: "Up", down: "Down", unknown: "Not checked now" } as const;
const TONES = { up: "resolved", down: "error", unknown: "neutral" } as const;

/** The page for strangers: the state in words, the last 90 days, and outages. It needs no script. */
export function PublicStatusView({ status: { title, monitors, at } }: { status: PublicStatus }) {
  return (
    <main id="main" className="mx-auto grid w-full max-w-[52rem] grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8">
      <div className="flex items-center gap-2 text-muted text-sm">
        <CulpritMark className="size-6" />
        Status
      </div>
      <h1 className="wrap-anywhere font-semibold text-2xl">
        <bdi>{title}</bdi>
      </h1>
      <Summary monitors={monitors} at={at} />
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="What is watched">
        {monitors.map((monitor, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none moves
          <li key={index}>
            <Monitor monitor={monitor} at={at} />
          </li>
        ))}
      </ul>
      <p className="text-muted text-xs">
        As of <AbsoluteTime at={at} />. A bar is a day (UTC), the newest at the right; a hatched one was not checked.
        Percentages are the share of checks that went well.
      </p>
    </main>
  );
}

function Summary({ monitors, at }: { monitors: readonly PublicMonitor[]; at: number }) {
  const down = monitors.filter(({ state }) => state === "down");
  if (monitors.length === 0) return <Notice title="Nothing is watched here any more." />;
  if (down.length > 0)
    return (
      <Notice tone="error" title={down.length === 1 ? "One of these is down." : `${down.length} of these are down.`}>
        <ul>
          {down.map(({ name, outages }, index) => {
            const open = outages.find(({ endedAt }) => endedAt === null);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none moves
              <li key={index}>
                <bdi>{name}</bdi>
                {open && `, for ${formatSpan(at - open.startedAt)} so far`}
              </li>
            );
          })}
        </ul>
      </Notice>
    );
  const unknown = monitors.filter(({ state }) => state === "unknown").length;
  if (unknown === monitors.length) return <Notice title="Nothing of this is checked at the moment." />;
  return (
    <Notice tone="done" title={unknown === 0 ? "All is up." : `All is up, but ${unknown} not checked at the moment.`} />
  );
}

function Monitor({
  monitor: { name, address, state, days, availability, outages },
  at,
}: {
  monitor: PublicMonitor;
  at: number;
}) {
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="wrap-anywhere min-w-0 font-semibold">
          <bdi>{name}</bdi>
        </h2>
        <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
        <span className="tabular ml-auto text-muted text-sm">{formatAvailability(availability)} in 90 days</span>
      </div>
      {address !== null && <code className="wrap-anywhere text-muted text-xs">{address}</code>}
      <UptimeDayBars days={days} label={`${name}: checks that went well, by day (UTC)`} />
      {outages.length > 0 && (
        <details>
          <summary className="cursor-pointer text-sm">
            {outages.length === 1 ? "1 outage" : `The last ${outages.length} outages`}
          </summary>
          <ul className="grid gap-1 pt-2 text-sm">
            {outages.map(({ startedAt, endedAt }) => (
              <li key={startedAt} className="flex flex-wrap gap-x-3">
                <AbsoluteTime at={startedAt} />
                <span className="text-muted">
                  {endedAt === null
                    ? `down for ${formatSpan(at - startedAt)} so far`
                    : `down for ${formatSpan(endedAt - startedAt)}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}
