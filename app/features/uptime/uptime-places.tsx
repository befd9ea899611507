import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { UptimePlace } from "./get-uptime-pages.server.ts";
import { UptimeStrip } from "./uptime-strip.tsx";
import { formatAvailability, formatMs } from "./uptime-words.ts";

const LOOKS = {
  up: { tone: "resolved", word: "Up" },
  confirming: { tone: "warning", word: "Being confirmed" },
  down: { tone: "error", word: "Down" },
} as const;

/** What each place sees, for a monitor that several places check. */
export function UptimePlaces({
  places,
  rule,
  downtimes,
  until,
}: {
  places: readonly UptimePlace[];
  /** A sentence that says when it counts as down. */
  rule: string;
  downtimes: readonly Downtime[];
  until: number;
}) {
  return (
    <Panel title="By place" description={rule} isFlush>
      <ul aria-label="Places that check it">
        {places.map((place) => (
          <li key={place.locationId} className="uptime-row">
            <div>
              <PlaceBadge place={place} />
            </div>
            <div className="min-w-0">
              <p className="truncate font-semibold text-sm">
                <bdi>{place.name}</bdi>
              </p>
              <p className="text-muted text-xs">
                <PlaceFacts place={place} />
              </p>
            </div>
            <UptimeStrip ticks={place.ticks} name={place.name} downtimes={downtimes} until={until} />
            <p className="tabular text-right text-sm">{formatAvailability(place.availability)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PlaceBadge({ place: { state, silentSince } }: { place: UptimePlace }) {
  if (silentSince !== null) return <Badge tone="neutral">Not heard of</Badge>;
  if (state === null) return <Badge tone="neutral">Not checked yet</Badge>;
  return <Badge tone={LOOKS[state.status].tone}>{LOOKS[state.status].word}</Badge>;
}

function PlaceFacts({ place: { state, silentSince } }: { place: UptimePlace }) {
  if (silentSince !== null)
    return (
      <>
        since <RelativeTime at={silentSince} />: it counts neither as up nor as down
      </>
    );
  if (state === null) return "The first check comes within seconds.";
  return (
    <>
      <RelativeTime at={state.lastCheckAt} />, {state.lastReason ?? formatMs(state.lastDurationMs)}
    </>
  );
}
