import type { SentryEvent } from "../../domain/event.ts";
import { readMetricFinding } from "../metrics/metric-finding.tsx";
import { hasContexts } from "./context-cards.tsx";
import { listProblems } from "./list-problems.ts";

/** The sections that an event has, in the order of the page. Links lead to them. */
export function listSections(
  event: SentryEvent,
  {
    attachments,
    suspects = [],
    sourceMapFiles = 0,
  }: { attachments: readonly unknown[]; suspects?: readonly unknown[]; sourceMapFiles?: number },
): Array<{ id: string; label: string }> {
  const has = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0;
  const isFilled = (record: object | undefined) => record !== undefined && Object.keys(record).length > 0;
  const sections: Array<[id: string, label: string, isThere: boolean]> = [
    ["exception", "Stack trace", Boolean(event.exception ?? event.stacktrace)],
    ["timeline", "Timeline", true],
    ["metric", "Metric", readMetricFinding(event) !== null],
    ["message", "Message", Boolean(event.logentry?.formatted ?? event.logentry?.message)],
    ["threads", "Threads", has(event.threads?.values)],
    ["suspects", "Suspect commits", suspects.length > 0],
    ["report", "Report", Boolean(event.csp ?? event.hpkp ?? event.expectct ?? event.expectstaple ?? event.nel)],
    ["breadcrumbs", "Breadcrumbs", has(event.breadcrumbs?.values)],
    ["request", "Request", event.request !== undefined],
    ["tags", "Tags", has(event.tags)],
    ["contexts", "Contexts", hasContexts(event)],
    ["extra", "Additional data", isFilled(event.extra)],
    ["attachments", "Attachments", attachments.length > 0],
    ["packages", "Packages", isFilled(event.modules)],
    ["grouping", "Why here", true],
    ["source-maps", "Source maps", sourceMapFiles > 0],
    ["problems", "Problems", listProblems(event).length > 0],
    ["json", "JSON", true],
  ];
  return sections.flatMap(([id, label, isThere]) => (isThere ? [{ id, label }] : []));
}
