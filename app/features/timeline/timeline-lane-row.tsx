import {
  ArrowLeftRight,
  Bug,
  Database,
  Footprints,
  Globe,
  MousePointerClick,
  Paperclip,
  Rocket,
  ScrollText,
  Server,
  TriangleAlert,
  Video,
} from "lucide-react";
import { type CSSProperties, memo, useState } from "react";
import { Link } from "react-router";
import { LaneReadout } from "./lane-readouts.tsx";
import { LaneTrack } from "./lane-track.tsx";
import { MISSING_WORDS } from "./missing-words.ts";
import type { LaneKind, LaneReason, TimelineLane, TimeRange } from "./timeline.ts";
import type { TimelineOptions } from "./timeline-options.ts";
import { countThings, sayNotDrawn } from "./timeline-words.ts";

const ICONS: Record<LaneKind, typeof Bug> = {
  deploys: Rocket,
  user: MousePointerClick,
  crumbs: Footprints,
  browser: Globe,
  network: ArrowLeftRight,
  service: Server,
  queries: Database,
  logs: ScrollText,
  errors: Bug,
  files: Paperclip,
  replay: Video,
};

/** Rows that a lane shows before the reader asks for all. */
const SHOWN_ROWS: Partial<Record<LaneKind, number>> = { logs: 5, errors: 8 };
const USUAL_ROWS = 2;

/** A lane. On the left are its name, its state and what it did at the cursor, on the right its items. */
export const TimelineLaneRow = memo(function TimelineLaneRow({
  lane,
  hues,
  words,
  openKey,
  window,
  onOpen,
  isCompact,
}: {
  lane: TimelineLane;
  hues: ReadonlyMap<string, number>;
  words: string;
  openKey: string | null;
  /** The window, for lanes that draw with it. Null for lanes that the axis moves. */
  window: TimeRange | null;
  onOpen: (change: Partial<TimelineOptions>) => void;
  isCompact: boolean;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const { kind, name, service, state, rowCount, loss } = lane;
  const Icon = ICONS[kind];
  const most = SHOWN_ROWS[kind] ?? USUAL_ROWS;
  const rows = isWhole ? rowCount : Math.min(rowCount, most);
  const isPresent = state.kind === "present";
  const label = kind === "browser" && service ? `Browser of ${service.replace(" · browser", "")}` : name;
  const notDrawn = sayNotDrawn(lane);
  return (
    <section
      className="timeline-lane"
      aria-label={label}
      data-kind={kind}
      data-missing={isPresent ? undefined : state.kind}
      style={{ "--rows": rows } as CSSProperties}
    >
      <div className="timeline-gutter">
        <div className="timeline-name">
          {service !== null && hues.has(service) ? (
            <span className="trace-swatch" data-hue={hues.get(service)} aria-hidden="true" />
          ) : (
            <Icon aria-hidden="true" />
          )}
          <bdi className="truncate font-semibold">{name}</bdi>
          {kind === "browser" && <span className="truncate text-muted">{service?.replace(" · browser", "")}</span>}
          <span className="timeline-state">{isPresent ? countThings(lane) : MISSING_WORDS[state.kind]}</span>
        </div>
        {isPresent ? <LaneReadout items={lane.items} /> : isCompact ? null : <Reason {...state} />}
        {notDrawn && <p className="timeline-aside">{notDrawn}</p>}
        {loss && (
          <p className="timeline-aside timeline-loss">
            <TriangleAlert aria-hidden="true" /> <Reason {...loss} />
          </p>
        )}
        {rowCount > most && (
          <button type="button" className="timeline-more" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? "Fewer rows" : `${rowCount - most} more ${rowCount - most === 1 ? "row" : "rows"}`}
          </button>
        )}
      </div>
      <LaneTrack
        lane={lane}
        rows={rows}
        hues={hues}
        words={words}
        openKey={openKey}
        window={window}
        onOpen={(item) => onOpen({ item })}
      />
    </section>
  );
});

/** Why something is missing, and the option that would send it. */
export function Reason({ words, option, href }: LaneReason) {
  return (
    <span className="timeline-reason">
      {words}
      {option && (
        <>
          {" "}
          <code>{option}</code> would have.
        </>
      )}
      {href && (
        <>
          {" "}
          <Link to={href} className="underline">
            What arrived
          </Link>
        </>
      )}
    </span>
  );
}
