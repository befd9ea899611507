import { scopeOfServer } from "../access/server-scope.ts";
import type { PrivacySettings } from "../domain/privacy/privacy-settings.ts";
import { MaskedFields, type PrivacyTest } from "../domain/privacy/privacy-test.ts";
import { compileScrubRules } from "../scrub/compile-scrub-rules.ts";
import { scrubEvent } from "../scrub/scrub-event.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { DamagedPayloadError } from "../stores/payload-store.ts";

/** The newest: each may have a megabyte, and somebody waits. */
const MAX_EVENTS = 10;

/** Scrubs copies of the newest events of a project again, by other rules. */
export async function testPrivacy(
  { events, payloads }: { events: Pick<EventStore, "listEvents">; payloads: Pick<EventPayloads, "readEvent"> },
  projectId: number,
  settings: PrivacySettings,
): Promise<PrivacyTest> {
  const rules = compileScrubRules(settings);
  const filter = { projectIds: scopeOfServer([projectId]).projectIds, from: null, to: null };
  const page = await events.listEvents(filter, { cursor: null, limit: MAX_EVENTS });
  const masked = new MaskedFields();
  for (const row of page.events) {
    const stored = await payloads.readEvent(row.payload).catch((error: unknown) => {
      if (error instanceof DamagedPayloadError) return null;
      throw error;
    });
    if (stored !== null) masked.add(stored.event, scrubEvent(structuredClone(stored.event), rules));
  }
  return masked.result();
}
