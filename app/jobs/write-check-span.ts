import { toCheckSpan } from "../domain/uptime/check-span.ts";
import type { UptimeCheck, UptimeMonitor } from "../domain/uptime/uptime-monitor.ts";
import { type Journal, JournalUnavailableError } from "../journal/journal.ts";
import { encodeOwnEntry } from "./own-entry.ts";

/** Writes the span of a check to the journal. `location`: the name of the location that made the check; null: this server. */
export async function writeCheckSpan(
  journal: Pick<Journal, "append">,
  {
    monitor,
    check,
    location,
    now,
  }: { monitor: UptimeMonitor; check: UptimeCheck; location: string | null; now: number },
): Promise<void> {
  const entry = encodeOwnEntry({
    projectId: monitor.projectId,
    receivedAt: now,
    eventId: null,
    as: { isCheck: true },
    header: { type: "span", item_count: 1, content_type: "application/vnd.sentry.items.span.v2+json" },
    payload: { items: [toCheckSpan(monitor, check, location)] },
  });
  try {
    await journal.append(entry);
  } catch (error) {
    // A full disk or backlog refuses what clients send, too. The check counts without its span.
    if (!(error instanceof JournalUnavailableError)) throw error;
  }
}
