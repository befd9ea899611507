import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerInstrumentation } from "react-router";
import type { BrowserMonitoring } from "./browser-monitoring.ts";

/** Work that has ended. Times are milliseconds since 1970. */
export interface FinishedWork {
  name: string;
  op: string;
  startedAt: number;
  endedAt: number;
  isFailed: boolean;
  attributes: Readonly<Record<string, number>>;
  parts: ReadonlyArray<{ name: string; op: string; startedAt: number; endedAt: number }>;
}

/** How the server watches itself, once the SDK runs. */
export interface Monitoring {
  /** What pages tell their own SDK. */
  browser: BrowserMonitoring;
  instrumentation: ServerInstrumentation;
  /** The current trace as `<meta>` tags, for the page to continue it; empty outside a traced request. */
  renderTraceMeta(): string;
  capture(fault: unknown, mechanismType: string): void;
  /** Of the last fault that was reported while the current request was handled; null when there was none. */
  lastEventId(): string | null;
  /** What a person says about a fault that was reported, or about none. */
  captureFeedback(feedback: { message: string; eventId: string | null; url: string }): void;
  /** Runs `handle` inside the root span of a page request, which ends with the response. */
  trace(req: IncomingMessage, res: ServerResponse, handle: () => void): void;
  /** Runs `handle` without any span: left alone, the router's instrumentation would begin a trace of its own. */
  untraced(handle: () => void): void;
  /** Sends it as a trace of its own. */
  recordWork(work: FinishedWork): void;
  /** Sends what waits, for at most so long. */
  close(timeoutMs: number): Promise<void>;
}

const KEY = Symbol.for("culprit.monitoring");
type Registry = { [KEY]?: Monitoring };

/** The router's bundle has its own copy of this module, and finds the process's one here. */
export function registerMonitoring(monitoring: Monitoring | undefined): void {
  (globalThis as Registry)[KEY] = monitoring;
}

/** Null when Culprit does not watch itself, as before it is set up. */
export function findMonitoring(): Monitoring | null {
  return (globalThis as Registry)[KEY] ?? null;
}
