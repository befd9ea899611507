import { useMemo, useState } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { isFound } from "./lane-track.tsx";
import type { LaneKind, Timeline, TimelineItem, TimelineLane } from "./timeline.ts";
import { formatTime } from "./timeline-words.ts";
import type { TimelineViewState } from "./use-timeline-view.ts";

/** Microseconds. A pause of this length or more gets its own row. */
const MIN_PAUSE_US = 1_000_000;

const GROUPS: ReadonlyArray<{ name: string; kinds: readonly LaneKind[] }> = [
  { name: "Errors", kinds: ["errors"] },
  { name: "Logs", kinds: ["logs"] },
  { name: "User", kinds: ["user", "crumbs", "files"] },
  { name: "Spans", kinds: ["browser", "network", "service", "queries"] },
  { name: "Deploys", kinds: ["deploys"] },
];

interface Row {
  lane: TimelineLane;
  item: TimelineItem;
}

/** All items in order, in words: on phones, and for readers who ask for it. */
export function TimelineList({
  timeline,
  view,
  words,
  first,
}: {
  timeline: Timeline;
  view: TimelineViewState;
  words: string;
  /** Rows in the page before the reader asks for all: those nearest to the throw. */
  first: number;
}) {
  const [group, setGroup] = useState<string | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  const all = useMemo(() => listRows(timeline), [timeline]);
  const kinds = GROUPS.find(({ name }) => name === group)?.kinds;
  const wanted = words.trim().toLowerCase();
  const found = all.filter(
    ({ lane, item }) =>
      item.isThis || ((!kinds || kinds.includes(lane.kind)) && (wanted === "" || isFound(item, wanted))),
  );
  const rows = isWhole ? found : pickNearest(found, first);
  const { time } = view.options;
  return (
    <div className="timeline-list">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no set of fields */}
      <div role="group" aria-label="Which lanes" className="timeline-choice needs-script">
        <button type="button" aria-pressed={group === null} onClick={() => setGroup(null)}>
          All {all.length}
        </button>
        {GROUPS.map(({ name, kinds }) => {
          const count = all.filter(({ lane }) => kinds.includes(lane.kind)).length;
          return (
            count > 0 && (
              <button key={name} type="button" aria-pressed={group === name} onClick={() => setGroup(name)}>
                {name} {count}
              </button>
            )
          );
        })}
      </div>
      <ol aria-label="Timeline, time runs down">
        {rows.map(({ lane, item }, index) => {
          const before = rows[index - 1]?.item;
          const pauseUs = before ? item.fromUs - before.fromUs : 0;
          return [
            pauseUs >= MIN_PAUSE_US && (
              <li key={`pause ${item.key}`} className="timeline-pause">
                {formatDuration(pauseUs)} without anything new
              </li>
            ),
            <li
              key={item.key}
              className="timeline-list-row"
              data-this={item.isThis}
              data-failed={item.isFailed || undefined}
            >
              <time>{formatTime(item.fromUs, { time, originUs: timeline.originUs, stepUs: 1_000 })}</time>
              <span className="timeline-list-what">
                {item.level && <LevelMark level={item.level} className="mr-1.5" />}
                <ItemLink item={item} />
                <small>{describe(lane, item)}</small>
              </span>
            </li>,
          ];
        })}
      </ol>
      {rows.length < found.length && (
        <p className="p-3">
          <Button size="sm" onClick={() => setIsWhole(true)}>
            Show all {found.length.toLocaleString("en")}
          </Button>
        </p>
      )}
    </div>
  );
}

function ItemLink({ item: { label, href, isThis } }: { item: TimelineItem }) {
  const text = (
    <>
      <bdi className="font-mono">{label}</bdi>
      {isThis && <b> thrown here</b>}
    </>
  );
  if (href === null) return text;
  if (href.startsWith("/attachments/"))
    return (
      <a href={href} download>
        {text}
      </a>
    );
  return <Link to={href}>{text}</Link>;
}

function describe({ name, kind }: TimelineLane, { note, toUs, fromUs, service, isThis }: TimelineItem): string {
  const where = kind === "browser" || kind === "network" || kind === "queries" ? (service ?? name) : name;
  return [where, isThis ? "" : note, toUs === null ? "" : formatDuration(toUs - fromUs)].filter(Boolean).join(" · ");
}

/** Rows by time. The servers' answers are left out, because they are also spans of their services. */
function listRows({ lanes }: Timeline): Row[] {
  return lanes
    .flatMap((lane) => lane.items.map((item) => ({ lane, item })))
    .filter(({ item }) => !item.key.startsWith("answer "))
    .sort((a, b) => a.item.fromUs - b.item.fromUs || Number(a.item.isThis ?? false) - Number(b.item.isThis ?? false));
}

function pickNearest(rows: readonly Row[], first: number): Row[] {
  if (rows.length <= first) return [...rows];
  const kept = new Set(rows.toSorted((a, b) => Math.abs(a.item.fromUs) - Math.abs(b.item.fromUs)).slice(0, first));
  return rows.filter((row) => kept.has(row));
}
