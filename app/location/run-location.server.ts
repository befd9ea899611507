import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { toNextStatus, toPauseMs } from "../domain/uptime/apply-check.ts";
import type {
  AskedAddress,
  LocationOrders,
  LocationReport,
  LocationResult,
  LocationTask,
} from "../domain/uptime/location-exchange.ts";
import { EXCHANGE_EVERY_MS, LOCATION_LIMITS } from "../domain/uptime/uptime-location.ts";
import type { UptimeCheck, UptimePlaceState } from "../domain/uptime/uptime-monitor.ts";
import type { Log } from "../log.server.ts";
import { RefusedLocationError } from "./exchange.server.ts";

const TICK_MS = 250;
/** As the server has. */
const MAX_UNDER_WAY = 50;
/** Results gather for so long before they are told. */
const GATHER_MS = 1_000;
const MAX_WAITING = 5_000;
const MAX_PAUSE_MS = 60_000;
/** At a stop, what has gathered is told once more. */
const LAST_EXCHANGE_MS = 5_000;

export interface LocationParts {
  probe(address: AskedAddress, signal: AbortSignal): Promise<UptimeCheck | null>;
  exchange(report: LocationReport, signal: AbortSignal): Promise<LocationOrders>;
  version: string;
  log: Pick<Log, "info" | "warn" | "error">;
}

/** A monitor, and when it is due by the monotonic clock. */
interface Scheduled {
  task: LocationTask;
  dueAt: number;
  status: UptimePlaceState["status"] | null;
  isUnderWay: boolean;
}

type Waiting = Omit<LocationResult, "ageMs"> & { startedAt: number };

/**
 * Checks what the server wants to be checked from here, until the signal ends it. While the server cannot be reached, checks go on, and
 * those of the last quarter of an hour are told when it can. @throws {RefusedLocationError} when the server wants no more of it.
 */
export async function runLocation({ probe, exchange, version, log }: LocationParts, stop: AbortSignal): Promise<void> {
  let scheduled = new Map<number, Scheduled>();
  let listKey: string | null = null;
  let waiting: Waiting[] = [];
  let underWay = 0;
  let exchangeAt = performance.now();
  let pauseMs = 0;

  async function check(each: Scheduled): Promise<void> {
    const startedAt = performance.now();
    each.isUnderWay = true;
    underWay += 1;
    try {
      const seen = await probe(each.task, stop);
      if (seen === null) return;
      each.status = toNextStatus(each.status, seen.reason);
      each.dueAt = startedAt + toPauseMs(each.status, each.task);
      const { at: _, reason, ...rest } = seen;
      const { monitorId, settingsKey } = each.task;
      const told = { ...rest, reason: reason?.slice(0, LOCATION_LIMITS.reasonChars) || null };
      waiting.push({ monitorId, settingsKey, startedAt, ...told });
      // The server has its list of them for so long alone; the oldest go.
      if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING);
      if (pauseMs === 0) exchangeAt = Math.min(exchangeAt, performance.now() + GATHER_MS);
    } finally {
      each.isUnderWay = false;
      underWay -= 1;
    }
  }

  function take(orders: LocationOrders): void {
    listKey = orders.listKey;
    if (orders.monitors === null) return;
    const now = performance.now();
    const former = scheduled;
    scheduled = new Map(
      orders.monitors.map((task) => {
        const known = former.get(task.monitorId);
        // What is the same as before keeps its time.
        return [
          task.monitorId,
          known?.task.settingsKey === task.settingsKey ? known : { task, dueAt: now, status: null, isUnderWay: false },
        ];
      }),
    );
    log.info({ location: orders.location, addresses: scheduled.size }, "checks addresses");
  }

  async function tell(signal: AbortSignal): Promise<void> {
    const oldest = performance.now() - LOCATION_LIMITS.maxAgeMs;
    waiting = waiting.filter(({ startedAt }) => startedAt > oldest);
    const told = waiting.slice(0, LOCATION_LIMITS.results);
    const now = performance.now();
    const results = told.map(({ startedAt, ...rest }) => ({ ...rest, ageMs: Math.round(now - startedAt) }));
    const orders = await exchange({ listKey, version, results }, signal);
    const gone = new Set(told);
    waiting = waiting.filter((each) => !gone.has(each));
    take(orders);
  }

  async function tellSoon(): Promise<void> {
    try {
      await tell(stop);
      if (pauseMs > 0) log.info({}, "the server is reached again");
      pauseMs = 0;
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof RefusedLocationError) throw error;
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(GATHER_MS, pauseMs * 2));
      log.warn({ err: error, again_in_ms: pauseMs, waiting: waiting.length }, "the server cannot be reached");
    }
    const usual = waiting.length > 0 ? GATHER_MS : EXCHANGE_EVERY_MS;
    exchangeAt = performance.now() + (pauseMs > 0 ? pauseMs * (0.5 + Math.random() / 2) : usual);
  }

  let refusal: unknown = null;
  let telling: Promise<void> | null = null;
  while (!stop.aborted && refusal === null) {
    const now = performance.now();
    for (const each of scheduled.values()) {
      if (underWay >= MAX_UNDER_WAY) break;
      if (!each.isUnderWay && each.dueAt <= now) void check(each);
    }
    if (telling === null && exchangeAt <= now) {
      telling = tellSoon()
        .catch((error: unknown) => {
          refusal = error;
        })
        .finally(() => {
          telling = null;
        });
    }
    await sleep(TICK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  await telling;
  if (refusal !== null) throw refusal;
  if (waiting.length === 0) return;
  await tell(AbortSignal.timeout(LAST_EXCHANGE_MS)).catch((error: unknown) => {
    log.warn({ err: error, waiting: waiting.length }, "the last checks could not be told");
  });
}
