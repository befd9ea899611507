import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { UptimeItem, UptimeListPage } from "./get-uptime-pages.server.ts";
import { UptimeLegend, UptimeStrip } from "./uptime-strip.tsx";
import { formatAvailability, sayStatus, type Tick } from "./uptime-words.ts";

const TONES = { unknown: "neutral", up: "resolved", confirming: "warning", down: "error" } as const;

export function UptimeStatusBadge({ state, isPaused }: Pick<UptimeItem, "state" | "isPaused">) {
  return <Badge tone={isPaused ? "neutral" : TONES[state.status]}>{sayStatus(state, isPaused)}</Badge>;
}

export function UptimeList({ items, downtimes, until }: Pick<UptimeListPage, "items" | "downtimes" | "until">) {
  return (
    <div>
      <ul className="overflow-clip rounded-lg border border-line bg-surface" aria-label="Addresses that are checked">
        {items.map((item) => (
          <li key={item.id} className="uptime-row">
            <div>
              <UptimeStatusBadge {...item} />
              {!item.isPaused && item.state.since !== null && (
                <p className="text-muted text-xs">
                  since <RelativeTime at={item.state.since} form="age" />
                </p>
              )}
            </div>
            <div className="min-w-0">
              <p className="truncate font-semibold text-sm">
                <Link to={`/uptime/${item.id}`} prefetch="intent" className="hover:underline">
                  <bdi>{item.name}</bdi>
                </Link>
              </p>
              <p className="truncate text-muted text-xs" title={item.address}>
                <code>{item.address}</code>
              </p>
              {item.state.status === "down" && !item.isPaused && (
                <p className="truncate text-error text-xs">{item.state.lastReason}</p>
              )}
            </div>
            <UptimeStrip ticks={item.ticks} name={item.name} downtimes={downtimes} until={until} />
            <p className="tabular text-right text-sm">{formatAvailability(item.availability)}</p>
          </li>
        ))}
      </ul>
      <UptimeLegend />
    </div>
  );
}

export type { Tick };
