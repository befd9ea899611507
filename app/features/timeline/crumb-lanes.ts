import type { Breadcrumb } from "../../domain/event.ts";
import { packRows } from "../../domain/timeline/pack-rows.ts";
import { isLoud, kindOfCrumb, toLevelName } from "../events/breadcrumb-filter.ts";
import type { LaneState, TimelineItem, TimelineLane } from "./timeline.ts";

const MAX_TEXT = 300;

/** Lanes for the user's actions, and for what else the SDK recorded before the error. */
export function listCrumbLanes({
  crumbs,
  isBrowser,
  missing,
  toRelativeUs,
  service,
}: {
  crumbs: readonly Breadcrumb[];
  /** Whether the event is from a browser, with a person in front of it. */
  isBrowser: boolean;
  /** Shown if there are no breadcrumbs. */
  missing: Exclude<LaneState, { kind: "present" }>;
  /** Turns microseconds since 1970 into microseconds since the throw. */
  toRelativeUs: (us: number) => number;
  service: string | null;
}): TimelineLane[] {
  const items: Array<TimelineItem & { isOfUser: boolean }> = [];
  for (const [index, crumb] of crumbs.entries()) {
    if (crumb.timestamp === undefined) continue;
    const kind = kindOfCrumb(crumb);
    items.push({
      ...toCrumbItem(crumb, index, toRelativeUs, service),
      isOfUser: kind === "user" || kind === "navigation",
    });
  }
  const ofUser = items.filter(({ isOfUser }) => isOfUser);
  const others = items.filter(({ isOfUser }) => !isOfUser);
  const lanes: TimelineLane[] = [];
  if (ofUser.length > 0 || isBrowser) lanes.push(toLane("user", "What the user did", ofUser, missing, items.length));
  if (others.length > 0 || !isBrowser) lanes.push(toLane("crumbs", "Breadcrumbs", others, missing, items.length));
  return lanes;
}

function toLane(
  id: "user" | "crumbs",
  name: string,
  items: Array<TimelineItem & { isOfUser: boolean }>,
  missing: Exclude<LaneState, { kind: "present" }>,
  crumbCount: number,
): TimelineLane {
  const drawn = items.map(({ isOfUser: _, ...item }) => item);
  const none: LaneState =
    crumbCount > 0 ? { kind: "nothing", words: "None of the breadcrumbs is a click or a navigation." } : missing;
  const rows = packRows(drawn);
  for (const [at, item] of drawn.entries()) item.row = rows[at] as number;
  return {
    id,
    kind: id,
    name,
    service: null,
    state: drawn.length > 0 ? { kind: "present" } : none,
    loss: null,
    items: drawn,
    total: drawn.length,
    rowCount: Math.max(0, ...rows) + 1,
  };
}

function toCrumbItem(
  crumb: Breadcrumb,
  index: number,
  toRelativeUs: (us: number) => number,
  service: string | null,
): TimelineItem {
  const { category, type, data, timestamp = 0 } = crumb;
  return {
    key: `crumb ${index}`,
    fromUs: toRelativeUs(Math.round(timestamp * 1e6)),
    toUs: null,
    row: 0,
    label: toText(crumb).slice(0, MAX_TEXT),
    note: category ?? type,
    level: isLoud(crumb) ? toLevelName(crumb.level) : null,
    isFailed: Number(data?.status_code) >= 500,
    service,
    href: null,
    facts: data === undefined ? [] : [["data", JSON.stringify(data).slice(0, 2 * MAX_TEXT)]],
  };
}

/** The sentence of a breadcrumb: the SDK's message, otherwise a text made from its data. */
function toText({ message, category, type, data = {} }: Breadcrumb): string {
  const { url, method, status_code: status, from, to } = data;
  if (typeof url === "string") return [method ?? "GET", url, status].filter((part) => part !== undefined).join(" ");
  if (to !== undefined) return `${String(from ?? "?")} → ${String(to)}`;
  return message ?? category ?? type;
}
