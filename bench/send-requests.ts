import { type Distribution, summarize } from "./distribution.ts";
import { type Answer, KeepAliveConnection } from "./keep-alive-connection.ts";
import type { RequestPool } from "./prepare-requests.ts";

export interface SendOptions {
  host: string;
  port: number;
  connections: number;
  /** Ends after so many requests, or so many seconds, whatever comes first; null: no bound. */
  count: number | null;
  seconds: number | null;
  /**
   * Requests a second. Open loop: what is due while every connection is busy waits, and its waiting counts as latency.
   * Null: each connection sends as soon as it has its answer.
   */
  rate: number | null;
  /** Calls back for every so many accepted events; null: never. */
  sampleEvery: number | null;
}

export interface SendResult {
  sent: number;
  accepted: number;
  /** How many answers had which status. */
  statuses: Record<string, number>;
  /** Requests without an answer, by reason. */
  failures: Record<string, number>;
  seconds: number;
  acceptedPerSecond: number;
  /** Of the requests themselves, headers included. */
  megabytesPerSecond: number;
  latencyMs: Distribution;
}

export interface Sending {
  readonly done: Promise<SendResult>;
  /** Sends no more; `done` resolves when what is in flight has its answer. */
  stop(): void;
}

/** How often the open loop looks what is due. */
const TICK_MS = 2;
/** After a break, so that a server that is gone is not asked ten thousand times a second. */
const PAUSE_AFTER_FAILURE_MS = 50;

export function sendRequests(
  pool: RequestPool,
  options: SendOptions,
  onSample: (id: string, acceptedAt: number) => void,
): Sending {
  const { host, port, rate, sampleEvery } = options;
  const connections = Array.from({ length: options.connections }, () => new KeepAliveConnection(host, port));
  const statuses: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const latencies: number[] = [];
  const done = Promise.withResolvers<SendResult>();
  const startedAt = performance.now();
  const endAt = startedAt + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const maxCount = options.count ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  let accepted = 0;
  let bytes = 0;
  let inFlight = 0;
  let isStopped = false;
  let isUsedUp = false;
  let timer: NodeJS.Timeout | undefined;

  const mayGoOn = () => !isStopped && !isUsedUp && sent < maxCount && performance.now() < endAt;

  /** False when there is nothing left to send. */
  function launch(connection: KeepAliveConnection, dueAt: number): boolean {
    const request = pool.next();
    if (!request) {
      isUsedUp = true;
      return false;
    }
    sent++;
    inFlight++;
    connection.send(request.bytes, (answer) => {
      inFlight--;
      note(answer, request.id, request.bytes.length, dueAt);
      if (answer.status !== null) onFree(connection);
      else setTimeout(onFree, PAUSE_AFTER_FAILURE_MS, connection);
    });
    return true;
  }

  function note(answer: Answer, id: string, requestBytes: number, dueAt: number): void {
    if (answer.status === null) {
      failures[answer.reason] = (failures[answer.reason] ?? 0) + 1;
      return;
    }
    latencies.push(performance.now() - dueAt);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status !== 200) return;
    accepted++;
    bytes += requestBytes;
    if (sampleEvery !== null && accepted % sampleEvery === 0) onSample(id, Date.now());
  }

  const free: KeepAliveConnection[] = [];
  const waiting: number[] = [];

  function onFree(connection: KeepAliveConnection): void {
    if (rate === null) {
      if (mayGoOn()) launch(connection, performance.now());
    } else {
      const dueAt = waiting.shift();
      if (dueAt === undefined || isStopped || !launch(connection, dueAt)) free.push(connection);
    }
    finishIfDone();
  }

  function finishIfDone(): void {
    if (inFlight > 0 || mayGoOn() || (waiting.length > 0 && !isStopped && !isUsedUp)) return;
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const connection of connections) connection.close();
    done.resolve({
      sent,
      accepted,
      statuses,
      failures,
      seconds,
      acceptedPerSecond: accepted / seconds,
      megabytesPerSecond: bytes / seconds / 1e6,
      latencyMs: summarize(latencies),
    });
  }

  if (rate === null) {
    for (const connection of connections) if (mayGoOn()) launch(connection, performance.now());
  } else {
    free.push(...connections);
    const everyMs = 1000 / rate;
    let dueAt = startedAt;
    timer = setInterval(() => {
      while (dueAt <= performance.now() && sent + waiting.length < maxCount && mayGoOn()) {
        const connection = free.pop();
        if (!connection) waiting.push(dueAt);
        else if (!launch(connection, dueAt)) free.push(connection);
        dueAt += everyMs;
      }
      finishIfDone();
    }, TICK_MS);
  }
  return {
    done: done.promise,
    stop() {
      isStopped = true;
      finishIfDone();
    },
  };
}
