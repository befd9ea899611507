import { fork } from "node:child_process";
import { join } from "node:path";
import type { RequestOptions } from "./prepare-requests.ts";
import type { SpanRequestOptions } from "./prepare-span-requests.ts";
import type { SendOptions, SendResult } from "./send-requests.ts";

export type ToLoadProcess =
  | { kind: "prepare"; options: RequestOptions }
  | { kind: "prepare-spans"; options: SpanRequestOptions }
  | { kind: "send"; options: SendOptions }
  | { kind: "stop" };

export type FromLoadProcess =
  | { kind: "prepared"; count: number }
  | { kind: "sample"; eventId: string; acceptedAt: number }
  | { kind: "sent"; result: SendResult };

/** An event that was answered 200, and when (milliseconds since 1970). */
export interface AcceptedSample {
  eventId: string;
  acceptedAt: number;
}

/** Sends prepared events from a process of its own. One thing at a time. */
export interface LoadGenerator extends AsyncDisposable {
  readonly pid: number;
  /** Makes requests beforehand; gives how many there are. Replaces those prepared before. */
  prepare(options: RequestOptions): Promise<number>;
  prepareSpans(options: SpanRequestOptions): Promise<number>;
  /** Unlike `SendOptions` says, everything but the rate and the bounds has a default. */
  send(options: LoadOptions, onSample?: (sample: AcceptedSample) => void): Promise<SendResult>;
  /** Ends a sending early; its promise resolves. */
  stop(): void;
}

export interface LoadOptions {
  url: string;
  count?: number;
  seconds?: number;
  rate?: number;
  connections?: number;
  sampleEvery?: number;
}

/** Enough for the server to find several requests each time it looks, as with many applications that report at once. */
const CONNECTIONS = 64;

export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, "load-process.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let onMessage: ((message: FromLoadProcess) => void) | null = null;
  let onFailure: ((error: Error) => void) | null = null;
  let isClosing = false;
  child.on("message", (message: FromLoadProcess) => onMessage?.(message));
  child.on("exit", (code) => {
    if (!isClosing) onFailure?.(new Error(`the load generator ended with code ${code}`));
  });

  function ask<Result>(
    question: ToLoadProcess,
    read: (message: FromLoadProcess) => Result | undefined,
  ): Promise<Result> {
    if (onMessage) throw new Error("the load generator is busy");
    return new Promise<Result>((resolve, reject) => {
      onFailure = reject;
      onMessage = (message) => {
        const result = read(message);
        if (result === undefined) return;
        onMessage = null;
        resolve(result);
      };
      child.send(question);
    });
  }

  return {
    pid: child.pid ?? 0,
    prepare: (options) => ask({ kind: "prepare", options }, readPrepared),
    prepareSpans: (options) => ask({ kind: "prepare-spans", options }, readPrepared),
    send({ url, count, seconds, rate, connections, sampleEvery }, onSample) {
      const { hostname, port } = new URL(url);
      const options: SendOptions = {
        host: hostname,
        port: Number(port),
        connections: connections ?? CONNECTIONS,
        count: count ?? null,
        seconds: seconds ?? null,
        rate: rate ?? null,
        sampleEvery: sampleEvery ?? null,
      };
      return ask({ kind: "send", options }, (message) => {
        if (message.kind === "sample") onSample?.(message);
        return message.kind === "sent" ? message.result : undefined;
      });
    },
    stop: () => child.send({ kind: "stop" } satisfies ToLoadProcess),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      child.disconnect();
      await exited;
    },
  };
}

function readPrepared(message: FromLoadProcess): number | undefined {
  return message.kind === "prepared" ? message.count : undefined;
}
