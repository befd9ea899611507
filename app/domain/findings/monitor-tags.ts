/** The kinds of Culprit's own monitors: a job with a schedule, an address, a figure. */
const MONITOR_KINDS = ["cron", "uptime", "metric"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** A monitor, as a link names it: `cron:12`. */
export interface MonitorRef {
  kind: MonitorKind;
  id: number;
}

/** The tags of events of a monitor, by which searches and alert rules know it. `certificate`: of an address that is watched. */
export function toMonitorTags({
  kind,
  id,
  name,
}: {
  kind: MonitorKind | "certificate";
  id: number;
  name: string;
}): Record<string, string> {
  return { "monitor.kind": kind, "monitor.id": String(id), "monitor.name": name };
}

/** The search for issues of one monitor. */
export function toMonitorSearch({ kind, id }: MonitorRef): string {
  const kinds = kind === "uptime" ? "[uptime, certificate]" : kind;
  return `monitor.kind:${kinds} monitor.id:${id}`;
}

/** The page of a new alert rule for one monitor. */
export function toMonitorRulePath(monitor: MonitorRef, { project, name }: { project: string; name: string }): string {
  const search = new URLSearchParams({ project, monitor: `${monitor.kind}:${monitor.id}`, name });
  return `/alerts/new?${search}`;
}

/** Null: the word names no monitor. */
export function readMonitorRef(word: string): MonitorRef | null {
  const [, kindWord, id] = /^([a-z]+):(\d{1,15})$/.exec(word) ?? [];
  const kind = MONITOR_KINDS.find((each) => each === kindWord);
  return kind === undefined ? null : { kind, id: Number(id) };
}
