import type { MessagePort } from "node:worker_threads";
import type { SymbolicationReport } from "../domain/symbolication.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { hasMappableFrames } from "./has-mappable-frames.ts";
import { reportFailure, reportNothing } from "./start-report.ts";
import type { SymbolicationResult } from "./symbolicate-event.ts";
import type { SymbolicationAnswer, SymbolicationRequest } from "./symbolicator-thread.ts";

export interface SymbolicateOptions {
  projectId: number;
  /** For people: also reports uploads that nearly fit, and fetches files that were not uploaded, if the project allows it. */
  withDiagnosis?: boolean;
  /** How long to wait. The event then comes back with what is mapped so far, usually nothing. Milliseconds. */
  limitMs?: number;
}

/** Maps events to their sources. Never throws: an event that cannot be mapped comes back unchanged, with a report that says why. */
export interface Symbolicator {
  symbolicate<Event extends SymbolicationEvent>(
    event: Event,
    options: SymbolicateOptions,
  ): Promise<SymbolicationResult & { event: Event }>;
}

/** Long enough for the largest map that is read, twice over; short enough for who waits for a page. */
const DEFAULT_LIMIT_MS = 5_000;
/** The thread answers before its client stops waiting: a partial result is better than none. */
const THREAD_SHARE = 0.8;

interface Pending {
  request: SymbolicationRequest;
  isSent: boolean;
  settle(answer: SymbolicationAnswer | { kind: "lost"; failure: NonNullable<SymbolicationReport["failure"]> }): void;
}

/**
 * The side of the one who asks, on any thread. Requests wait for a port; when the thread dies, those that it had are
 * answered as failed, because one of them may have been the cause.
 */
export class SymbolicatorClient implements Symbolicator {
  readonly #limitMs: number;
  readonly #onFailure: (message: string) => void;
  #port: MessagePort | null = null;
  #isClosed = false;
  #nextId = 0;
  readonly #pending = new Map<number, Pending>();

  constructor(options: { limitMs?: number; onFailure?: (message: string) => void } = {}) {
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
    this.#onFailure = options.onFailure ?? (() => {});
  }

  /** Takes the port to a thread that was started; the one before, if any, is given up. */
  attach(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.on("message", (answer: SymbolicationAnswer) => this.#pending.get(answer.id)?.settle(answer));
    port.on("close", () => {
      if (this.#port === port) this.#port = null;
      this.#lose(this.#isClosed ? "closed" : "thread_died", (pending) => pending.isSent);
    });
    for (const pending of this.#pending.values()) this.#send(pending);
    // Waiting for nothing, it holds no process.
    port.unref();
  }

  async symbolicate<Event extends SymbolicationEvent>(
    event: Event,
    { projectId, withDiagnosis = false, limitMs = this.#limitMs }: SymbolicateOptions,
  ): Promise<SymbolicationResult & { event: Event }> {
    if (this.#isClosed) return fail(event, "closed");
    // An event without frames to map need not be sent.
    if (!hasMappableFrames(event)) return { event, isChanged: false, report: reportNothing(event), wanted: [] };
    const id = this.#nextId++;
    const request = { id, projectId, event: pick(event), withDiagnosis, limitMs: Math.round(limitMs * THREAD_SHARE) };
    return await new Promise((resolve) => {
      const timer = setTimeout(() => pending.settle({ kind: "lost", failure: "timed_out" }), limitMs);
      const pending: Pending = {
        request,
        isSent: false,
        settle: (answer) => {
          clearTimeout(timer);
          this.#pending.delete(id);
          if (answer.kind === "failed") this.#onFailure(answer.message);
          if (answer.kind !== "done") resolve(fail(event, answer.kind === "lost" ? answer.failure : "failed"));
          else {
            const { isChanged, report, wanted } = answer;
            resolve({ event: isChanged ? merge(event, answer.event) : event, isChanged, report, wanted });
          }
        },
      };
      this.#pending.set(id, pending);
      this.#send(pending);
    });
  }

  /** Answers what waits, as closed. */
  close(): void {
    this.#isClosed = true;
    this.#lose("closed", () => true);
    this.#port?.close();
    this.#port = null;
  }

  #send(pending: Pending): void {
    if (this.#port === null || pending.isSent) return;
    pending.isSent = true;
    try {
      this.#port.postMessage(pending.request);
    } catch (error) {
      // Events are JSON. If something cannot be copied, our own code put it in.
      this.#onFailure(error instanceof Error ? error.message : String(error));
      pending.settle({ kind: "lost", failure: "failed" });
    }
  }

  #lose(failure: NonNullable<SymbolicationReport["failure"]>, isLost: (pending: Pending) => boolean): void {
    for (const pending of [...this.#pending.values()]) if (isLost(pending)) pending.settle({ kind: "lost", failure });
  }
}

function fail<Event extends SymbolicationEvent>(
  event: Event,
  failure: NonNullable<SymbolicationReport["failure"]>,
): SymbolicationResult & { event: Event } {
  return { event, isChanged: false, report: reportFailure(event, failure), wanted: [] };
}

/** The parts of an event that mapping needs: breadcrumbs and the like need not be copied to the thread. */
function pick(event: SymbolicationEvent): SymbolicationEvent {
  const { platform, release, dist, exception, threads, stacktrace, raw_stacktrace, debug_meta, errors } = event;
  return { platform, release, dist, exception, threads, stacktrace, raw_stacktrace, debug_meta, errors };
}

function merge<Event extends SymbolicationEvent>(event: Event, mapped: SymbolicationEvent): Event {
  const merged: Event = { ...event };
  for (const key of ["exception", "threads", "stacktrace", "raw_stacktrace", "errors"] as const) {
    if (mapped[key] === undefined) delete merged[key];
    else Object.assign(merged, { [key]: mapped[key] });
  }
  return merged;
}
