import type { Workspace } from "../../access/workspace.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { escapeMarkdown, fence, toFactLines, toOneLine } from "../markdown/write-markdown.ts";
import { sayLostDays } from "../storage/say-storage-news.ts";
import { toSkewWords } from "../traces/skew-words.ts";
import { MISSING_WORDS } from "./missing-words.ts";
import { findTimelineEvent, readTimeline } from "./read-timeline.server.ts";
import type { LaneReason, Timeline, TimelineItem, TimelineLane } from "./timeline.ts";
import { type TimelineOptions, toTimelinePath } from "./timeline-options.ts";
import { countThings, formatTime } from "./timeline-words.ts";

const MAX_LINES = 300;

/** A timeline as text: the error, its causes, clocks, lanes with their states, and all items by time. Null: there is no such event. */
export async function getTimelineMarkdown(
  workspace: Workspace,
  { eventId, options, baseUrl, now }: { eventId: string; options: TimelineOptions; baseUrl: string; now: number },
): Promise<string | null> {
  const found = await findTimelineEvent(workspace, eventId);
  if (!found) return null;
  const { head } = found;
  const timeline = await readTimeline(workspace, found, { isAsSent: options.isAsSent, now });
  const named = timeline.causes.map(({ name, words }) => `${name} ${words}`.trim());
  const causes = [...(timeline.earlierCount > 0 ? [`${timeline.earlierCount} earlier`] : []), ...named].join(" → ");
  const lost = sayLostDays(workspace.storage.lostDays(), now);
  const lines = [
    `# Timeline of ${escapeMarkdown(head.title)}`,
    "",
    `<${baseUrl}${toTimelinePath(head.eventId, options)}>`,
    "",
    ...toFactLines([
      ["Issue", head.shortId],
      ["Event", head.eventId],
      ["Project", head.projectSlug],
      ["Trace", head.traceId],
      ["Thrown", new Date(head.occurredAt).toISOString()],
      ["What failed, in order", timeline.causes.length > 1 ? causes : null],
      ["Clocks", timeline.skews.length === 0 ? null : timeline.isAsSent ? "as sent" : "aligned"],
    ]),
    ...[
      ...timeline.skews.map(toSkewWords),
      ...timeline.corrections,
      ...timeline.leftOut,
      ...(lost ? [`${lost.title}.`] : []),
    ].map((sentence) => `- ${escapeMarkdown(sentence)}`),
    "",
    "## Lanes",
    "",
    ...timeline.lanes.map((lane) => `- **${escapeMarkdown(nameOf(lane))}**: ${escapeMarkdown(stateOf(lane))}`),
    "",
    "## What happened",
    "",
    fence(listLines(timeline, options).join("\n")),
  ];
  return `${lines.join("\n")}\n`;
}

function nameOf({ name, service }: TimelineLane): string {
  return service !== null && service !== name ? `${name} (${service})` : name;
}

function stateOf(lane: TimelineLane): string {
  const words =
    lane.state.kind === "present" ? countThings(lane) : `${MISSING_WORDS[lane.state.kind]}. ${say(lane.state)}`;
  return lane.loss ? `${words}. ${say(lane.loss)}` : words;
}

function say({ words, option }: LaneReason): string {
  return option ? `${words} ${option} would have.`.trim() : words;
}

/** Items in the window, or all items if there is none. If there are many, those nearest to the throw. */
function listLines({ lanes, originUs }: Timeline, { window, time }: TimelineOptions): string[] {
  const isInSight = ({ fromUs, toUs }: TimelineItem) =>
    !window || ((toUs ?? fromUs) >= window.fromUs && fromUs <= window.toUs);
  const all = lanes
    .flatMap((lane) => lane.items.map((item) => ({ lane, item })))
    .filter(({ item }) => !item.key.startsWith("answer ") && isInSight(item));
  const nearest = all
    .toSorted((a, b) => Math.abs(a.item.fromUs) - Math.abs(b.item.fromUs))
    .slice(0, MAX_LINES)
    .sort((a, b) => a.item.fromUs - b.item.fromUs);
  // The reader's time zone is not known here, so local times become UTC.
  const inTime = { time: time === "local" ? "utc" : time, originUs, stepUs: 1_000 } as const;
  const lines = nearest.map(({ lane, item }) => {
    const took = item.toUs === null ? "" : ` (${formatDuration(item.toUs - item.fromUs)})`;
    const words = [item.level, item.label, item.note && `[${item.note}]`, item.isThis && "← thrown here"];
    return `${toOneLine(`${formatTime(item.fromUs, inTime)} ${nameOf(lane)}: ${words.filter(Boolean).join(" ")}`)}${took}`;
  });
  return all.length > lines.length
    ? [...lines, `… and ${all.length - lines.length} more, further from the throw`]
    : lines;
}
