import type { Workspace } from "../../access/workspace.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { escapeMarkdown, fence, toFactLines, toOneLine } from "../markdown/write-markdown.ts";
import { sayLostDays } from "../storage/say-storage-news.ts";
import { getTracePage } from "./get-trace-page.server.ts";
import { toLogLines } from "./list-trace-logs.server.ts";
import { listRowsOfTrace } from "./list-trace-rows.server.ts";
import { isArriving } from "./look-again.ts";
import { readTrace } from "./read-trace.server.ts";
import { HIDDEN_PROJECTS } from "./say-hidden-projects.ts";
import { selectSpans } from "./select-spans.server.ts";
import { readTraceOptions } from "./trace-options.ts";
import type { TraceRow } from "./trace-rows-view.ts";

const MAX_LOGS = 50;

/** A trace as text: its facts, the rows of its waterfall, its errors and log lines. Null: there is no such trace. */
export async function getTraceMarkdown(
  workspace: Workspace,
  { traceId, baseUrl }: { traceId: string; baseUrl: string },
): Promise<string | null> {
  const options = readTraceOptions(new URLSearchParams());
  const trace = await readTrace(workspace, traceId, options);
  const page = trace && (await getTracePage(workspace, { traceId, search: new URLSearchParams() }));
  if (!trace || !page) return null;
  const { rows, count } = listRowsOfTrace(trace, await selectSpans(workspace, trace, options), {
    from: 0,
    spanKey: null,
  });
  const logs = toLogLines(trace, options);
  const name = [page.root?.op, page.root?.name].filter(Boolean).join(" ");
  const lines = [
    `# Trace ${escapeMarkdown(name || traceId)}`,
    "",
    `<${baseUrl}/traces/${traceId}>`,
    "",
    ...toFactLines([
      ["Trace", traceId],
      ["Began", page.startedUs === null ? null : new Date(page.startedUs / 1_000).toISOString()],
      ["Took", formatDuration(page.durationUs)],
      ["Spans", page.spanCount],
      ["Services", page.services.map((service) => service.name).join(", ")],
      ["Spans whose parent did not arrive", page.orphanCount || null],
      ["Circles of parents", page.circleCount || null],
      ...page.skews.map(({ service, aheadUs }) => [`Clock of ${service}`, `${formatDuration(aheadUs)} ahead`] as const),
    ]),
  ];
  const lost = sayLostDays(workspace.storage.lostDays(), Date.now());
  const hidden = page.seesEverything ? [] : [HIDDEN_PROJECTS];
  const missing = [...hidden, ...page.missing.map(({ words }) => words), ...(lost ? [`${lost.title}.`] : [])];
  if (missing.length > 0)
    lines.push("", "## What is missing", "", ...missing.map((words) => `- ${escapeMarkdown(words)}`));
  if (isArriving(page.arrivedAgoMs)) lines.push("", "The trace is still arriving: it may grow.");
  if (page.errors.length > 0) {
    lines.push("", "## Errors", "");
    for (const { title, atUs, eventId, issueId } of page.errors)
      lines.push(
        `- +${formatDuration(atUs)} ${escapeMarkdown(title)} <${baseUrl}/issues/${issueId}/events/${eventId}>`,
      );
  }
  if (rows.length > 0) {
    const more = count > rows.length ? [`… and ${count - rows.length} more rows`] : [];
    lines.push("", "## Spans", "", fence([...rows.map((row) => toLine(row, page.services)), ...more].join("\n")));
  }
  if (logs.length > 0) {
    const shown = logs
      .slice(0, MAX_LOGS)
      .map(({ atUs, level, body }) => `+${formatDuration(atUs)} ${level} ${indentRest(body)}`);
    const more = logs.length > MAX_LOGS ? [`… and ${logs.length - MAX_LOGS} more lines`] : [];
    lines.push("", "## Logs", "", fence([...shown, ...more].join("\n")));
  }
  return `${lines.join("\n")}\n`;
}

/** Indents all lines but the first, so that only a log line begins at the left. */
function indentRest(body: string): string {
  return body.replaceAll(/\r\n?|\n/g, "\n    ");
}

function toLine(row: TraceRow, services: ReadonlyArray<{ name: string }>): string {
  const indent = "  ".repeat(row.depth);
  const time = `+${formatDuration(row.startUs)} ${formatDuration(row.durationUs)}`;
  if (row.kind === "gap") return `${indent}(${time} without a span)`;
  const words = [row.op, row.name, row.status && `[${row.status}]`].filter(Boolean).join(" ");
  return `${indent}${toOneLine(`${words} (${services[row.service]?.name})`)} ${time}`;
}
