import type { Workspace } from "../../access/workspace.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import { toEventId } from "../events/event-id.ts";
import { toProfilePath } from "./profile-options.ts";

/** Profiles of a trace that are searched. Hardly any trace has more. */
const MAX_PROFILES = 100;

/**
 * The path of the profile of a span. Null: no profile is stored.
 *
 * @param attributes of the span
 */
export async function findProfilePath(
  { events, scope: { projectIds } }: Workspace,
  span: SpanRow,
  attributes: ReadonlyArray<readonly [string, unknown]>,
): Promise<string | null> {
  const textOf = (name: string) => String(attributes.find(([key]) => key === name)?.[1] ?? "");
  if (span.category === "transaction") {
    // SDKs send it in the envelope of its transaction, which does not name its id.
    const { traceId, sequence } = span;
    const profiles = await events.listItems({ projectIds, traceId, types: ["profile"], limit: MAX_PROFILES });
    const own = profiles.find((each) => each.sequence === sequence);
    if (own?.eventId) return toProfilePath(own.eventId);
  }
  const profilerId = toEventId(textOf("sentry.profiler_id"));
  if (profilerId === null) return null;
  const [chunk] = await events.listItems({ projectIds, eventId: profilerId, types: ["profile_chunk"], limit: 1 });
  if (!chunk) return null;
  // By the sender's clock, like the samples.
  const fromUs = span.startedUs - (span.shiftUs ?? 0);
  const window = { fromUs, toUs: fromUs + span.durationUs };
  return toProfilePath(profilerId, { thread: textOf("thread.id") || null, window });
}
