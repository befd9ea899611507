import { MousePointerClick, Navigation, Rocket } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { LaneEdges } from "./lane-edges.tsx";
import type { TimelineItem, TimelineLane, TimeRange } from "./timeline.ts";
import { describeItem } from "./timeline-words.ts";

/** Milliseconds: so far away that no name ends there. */
const NEVER = 1e10;

/** For an item: when the item before it in the same row ends, and when the next one begins. Milliseconds. */
interface Beside {
  previous: number;
  next: number;
}

const ALONE: Beside = { previous: -NEVER, next: NEVER };

/** The items of a lane. They are placed with variables of the axis, so that a zoom does not draw them again. */
export function LaneTrack({
  lane,
  rows,
  hues,
  words,
  openKey,
  window,
  onOpen,
}: {
  lane: TimelineLane;
  rows: number;
  hues: ReadonlyMap<string, number>;
  words: string;
  openKey: string | null;
  window: TimeRange | null;
  onOpen: (key: string | null) => void;
}) {
  const shown = lane.items.filter(({ row }) => row < rows);
  const beside = findBeside(shown);
  const wanted = words.trim().toLowerCase();
  const before = window && shown.findLast(({ fromUs }) => fromUs < window.fromUs);
  return (
    <div className="timeline-track">
      {lane.state.kind !== "present" && <span className="timeline-void" aria-hidden="true" />}
      {before && (
        <span className="timeline-before">
          <Rocket aria-hidden="true" /> <code>{before.label}</code> {before.note}
        </span>
      )}
      {window === null && <LaneEdges items={shown} />}
      {shown.flatMap(({ key, row, fromUs, toUs, wire }) =>
        wire
          ? [
              <Wire key={`out ${key}`} row={row} fromUs={fromUs - wire[0]} toUs={fromUs} />,
              <Wire key={`back ${key}`} row={row} fromUs={toUs ?? fromUs} toUs={(toUs ?? fromUs) + wire[1]} />,
            ]
          : [],
      )}
      {shown.map((item) => (
        <Item
          key={item.key}
          item={item}
          kind={lane.kind}
          beside={beside.get(item.key) ?? ALONE}
          hue={hues.get(item.service ?? "")}
          isOpen={item.key === openKey}
          isDimmed={wanted !== "" && !isFound(item, wanted)}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

function Item({
  item,
  kind,
  beside,
  hue,
  isOpen,
  isDimmed,
  onOpen,
}: {
  item: TimelineItem;
  kind: TimelineLane["kind"];
  beside: Beside;
  hue: number | undefined;
  isOpen: boolean;
  isDimmed: boolean;
  onOpen: (key: string | null) => void;
}) {
  const { fromUs, toUs, row, isFailed, label, note, isThis } = item;
  const isBar = toUs !== null;
  const style = {
    "--s": fromUs / 1000,
    "--e": (toUs ?? fromUs) / 1000,
    "--p": beside.previous,
    "--n": beside.next,
    "--r": row,
  } as CSSProperties;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={isBar ? "timeline-bar" : "timeline-mark"}
      style={style}
      data-key={item.key}
      data-hue={hue}
      data-failed={isFailed || undefined}
      data-this={isThis}
      data-dimmed={isDimmed || undefined}
      aria-pressed={isOpen}
      aria-label={describeItem(item)}
      title={isBar ? `${label} · ${formatDuration(toUs - fromUs)}` : label}
      onClick={() => onOpen(isOpen ? null : item.key)}
    >
      {!isBar && <span className="timeline-dot">{toSign(item, kind)}</span>}
      <span className="timeline-label">
        {label}
        {note && <span className="timeline-note"> {note}</span>}
      </span>
    </button>
  );
}

function toSign({ level, note }: TimelineItem, kind: TimelineLane["kind"]): ReactNode {
  if (level) return <LevelMark level={level} />;
  if (kind === "deploys") return <Rocket aria-hidden="true" />;
  if (kind !== "user") return null;
  return note === "navigation" ? <Navigation aria-hidden="true" /> : <MousePointerClick aria-hidden="true" />;
}

/** The time between browser and server, about which nothing is known. */
function Wire({ row, fromUs, toUs }: { row: number; fromUs: number; toUs: number }) {
  const style = { "--s": fromUs / 1000, "--e": toUs / 1000, "--r": row } as CSSProperties;
  return <i className="timeline-wire" aria-hidden="true" style={style} />;
}

/** Neighbours of items: a name ends where the next item of the same row begins. */
function findBeside(items: readonly TimelineItem[]): Map<string, Beside> {
  const beside = new Map<string, Beside>();
  const lastOfRow = new Map<number, TimelineItem>();
  for (const item of items.toSorted((a, b) => a.fromUs - b.fromUs)) {
    const before = lastOfRow.get(item.row);
    beside.set(item.key, { ...ALONE, previous: before ? (before.toUs ?? before.fromUs) / 1000 : -NEVER });
    const last = before && beside.get(before.key);
    if (last) last.next = item.fromUs / 1000;
    lastOfRow.set(item.row, item);
  }
  return beside;
}

export function isFound({ label, note, facts, service }: TimelineItem, words: string): boolean {
  return [label, note, service ?? "", ...facts.map(([, value]) => value)].some((text) =>
    text.toLowerCase().includes(words),
  );
}
