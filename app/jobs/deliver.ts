import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_PAUSE_MS, MESSAGE_PAUSE_MS } from "../domain/notification.ts";
import type { Log } from "../log.server.ts";
import type { Delivery, DeliveryLane } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";
import { FAILING_ATTEMPTS } from "../stores/state/undelivered-store.ts";
import { type AttemptParts, attemptDelivery } from "./attempt-delivery.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 1_000;
/** Messages that are sent at the same time, in each lane. */
const AT_ONCE = 4;
/**
 * Kinds of receivers whose messages wait for each other. A mail server that hangs delays no channel. Repeated tries have lanes of their
 * own, so a channel that hangs delays others only with the first try of a message.
 */
const LANES: readonly DeliveryLane[] = [["email", "person"] as const, ["channel"] as const, ["push"] as const].flatMap(
  (kinds) => [
    { kinds, hasFailed: false },
    { kinds, hasFailed: true },
  ],
);
/**
 * The most attempts of a message. With the pauses below it is given up after some 21 hours, so a channel that was broken over night still
 * gets everything.
 */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 30_000;

/** The pause after an attempt, in milliseconds: 30 s after the first, then three times the one before, up to six hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 3 ** (attempts - 1), LONGEST_PAUSE_MS);
}

export interface DeliverParts extends AttemptParts {
  state: AttemptParts["state"] & Pick<State, "deliveries">;
  /** Returns 32 hex characters, different each time. */
  createKey: () => string;
  log: Log;
  /** `channel`: the kind of the channel, or of the target. */
  onSent: (sent: { channel: string; result: "delivered" | "failed" | "dead" }) => void;
}

/** Sends the messages that are due. */
export function createDeliverJob(parts: DeliverParts): Job {
  const { state, createKey, now, log, onSent } = parts;

  async function deliver(delivery: Delivery): Promise<void> {
    const { attempts } = delivery;
    const attempted = await attemptDelivery(parts, delivery);
    if (attempted === null) return await state.deliveries.discard(delivery);
    const { result, project, kind } = attempted;
    const at = now();
    const nextMessageAt = at + MESSAGE_PAUSE_MS;
    if (result.ok) {
      onSent({ channel: kind, result: "delivered" });
      return await state.deliveries.confirm(delivery, { at, answer: result.answer, nextMessageAt });
    }
    const isDead = result.isPermanent || attempts >= MAX_ATTEMPTS;
    const pause = Math.max(pauseAfter(attempts), result.retryAfterMs ?? 0);
    // A time further ahead would look as if a clock that was ahead had written it.
    const retryAt = isDead ? null : at + Math.min(pause, LONGEST_PAUSE_MS);
    // The log has neither address nor URL: they are on the page of the project.
    const facts = { project, channel: kind, attempts, reason: result.reason };
    log.warn(facts, isDead ? "a message was given up" : "a message did not arrive; it is tried again");
    onSent({ channel: kind, result: isDead ? "dead" : "failed" });
    const forwardKey = isDead || attempts >= FAILING_ATTEMPTS ? createKey : undefined;
    await state.deliveries.fail(delivery, { at, failure: result.reason, retryAt, nextMessageAt, forwardKey });
  }

  return {
    name: "deliver",
    everyMs: EVERY_MS,
    async run(signal) {
      let isIdle = true;
      const failures: unknown[] = [];
      /** Messages under way by address. A channel that several projects use gets one message at a time. */
      const underWay = new Map<string, { lane: DeliveryLane; ended: Promise<void> }>();

      async function beginWhatIsDue(lane: DeliveryLane): Promise<void> {
        const countOfLane = () => [...underWay.values()].filter((each) => each.lane === lane).length;
        while (!signal.aborted && failures.length === 0 && countOfLane() < AT_ONCE) {
          const claimedAt = now();
          const delivery = await state.deliveries.claim({
            now: claimedAt,
            retryAt: (attempts) => claimedAt + pauseAfter(attempts),
            lane,
            butNotTo: [...underWay.keys()],
          });
          if (delivery === null) return;
          isIdle = false;
          const { address } = delivery.target;
          const ended = deliver(delivery)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(address));
          underWay.set(address, { lane, ended });
        }
      }

      for (;;) {
        for (const lane of LANES) await beginWhatIsDue(lane);
        if (underWay.size === 0) break;
        const ends = [...underWay.values()].map(({ ended }) => ended);
        // Messages that become due while a receiver hangs do not wait for it.
        await Promise.race([...ends, sleep(EVERY_MS, undefined, { ref: false })]);
      }
      if (failures.length > 0) throw failures[0];
      return isIdle ? "idle" : "worked";
    },
  };
}
