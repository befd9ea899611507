import type { SentryEvent } from "../domain/event.ts";
import { type NormalizeContext, normalizeEvent } from "./normalize-event.ts";

/** For tests: the moment that the events of tests arrive, in milliseconds since 1970. */
export const TEST_RECEIVED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

export const TEST_CONTEXT: NormalizeContext = {
  eventId: "9ec79c33ec9942ab8353589fcb2e04dc",
  receivedAt: TEST_RECEIVED_AT,
  sentAt: null,
  clientAddress: "203.0.113.7",
  userAgent: null,
  sdk: null,
  trace: null,
};

export function normalizeTestEvent(raw: unknown, context: Partial<NormalizeContext> = {}): SentryEvent {
  return normalizeEvent(raw, { ...TEST_CONTEXT, ...context });
}
