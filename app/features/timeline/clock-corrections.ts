import type { SentryEvent } from "../../domain/event.ts";
import type { TraceLog } from "../../stores/events/logs.ts";
import { formatDuration } from "../../ui/format-duration.ts";

/** Sentences about times that were moved on arrival, because the sender's clock (`sent_at`) and the server's were far apart. */
export function describeCorrections(event: SentryEvent | null, logs: readonly TraceLog[]): string[] {
  const sentences: string[] = [];
  for (const { type, sdk_time: sdk, server_time: server } of event?.errors ?? []) {
    if (type !== "clock_drift") continue;
    const aheadMs = Date.parse(String(sdk)) - Date.parse(String(server));
    if (!Number.isFinite(aheadMs) || aheadMs === 0) continue;
    sentences.push(
      `The clock of the error's SDK was ${toAhead(aheadMs * 1000)} when it sent it. The error and its breadcrumbs were moved by that.`,
    );
  }
  const moved = logs.filter(({ shiftUs }) => shiftUs !== null && shiftUs !== 0);
  const [first] = moved;
  if (first)
    sentences.push(
      `${moved.length === 1 ? "One log line was" : `${moved.length} log lines were`} moved when they arrived: the clock of their sender was ${toAhead(-(first.shiftUs ?? 0))}.`,
    );
  return sentences;
}

function toAhead(us: number): string {
  return `${formatDuration(Math.abs(us))} ${us > 0 ? "ahead" : "behind"}`;
}
