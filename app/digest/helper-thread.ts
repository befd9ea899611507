import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { JournalLog, JournalRecord } from "../journal/journal.ts";
import type { Digested } from "./digested.ts";
import type { HelperAnswer, HelperTask, HelperThreadData } from "./helper-protocol.ts";
import { joinBytes, unpackDigested } from "./packed-digested.ts";

/** What a helper gave back. */
export interface HelperResult {
  id: number;
  digested: Digested;
  /** Sequences of records that it may not look into. */
  left: number[];
}

/** Somebody who digests records at the same time. Nothing depends on it: what does not come back is done without it. */
export interface DigestHelper {
  /** Given and not yet back, whoever still waits for it. */
  readonly inFlight: number;
  /** Gives the id of what comes back. */
  give(records: readonly JournalRecord[], projectsWithoutUploads: number[] | null): number;
  /** What has come back since the last call. */
  collect(): HelperResult[];
  /** Resolves when something has come back, and after `timeoutMs` at the latest. */
  whenBack(timeoutMs: number): Promise<void>;
}

/** Its pieces are small; what needs more than this is better digested where it was before. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 24 };

/** A thread that digests records. It is ready as soon as it is made; when it dies, `onEnd` is called and nothing comes back. */
export class HelperThread implements DigestHelper {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #inbox: HelperAnswer[] = [];
  #nextId = 0;
  #inFlight = 0;
  #wake: (() => void) | null = null;

  constructor({ log, onEnd }: { log: JournalLog; onEnd: () => void }) {
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.on("message", (answer: HelperAnswer) => {
      this.#inbox.push(answer);
      this.#wake?.();
    });
    this.#port.unref();
    this.#worker = new Worker(new URL("./helper-worker.ts", import.meta.url), {
      name: "digest-helper",
      workerData: { port: channel.port2 } satisfies HelperThreadData,
      transferList: [channel.port2],
      resourceLimits: RESOURCE_LIMITS,
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("error", (error) => log.warn({ err: error }, "a thread that helps the digest failed"));
    this.#worker.once("exit", () => {
      this.#port.close();
      onEnd();
      this.#wake?.();
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  give(records: readonly JournalRecord[], projectsWithoutUploads: number[] | null): number {
    const id = this.#nextId++;
    this.#inFlight++;
    const task: HelperTask = {
      id,
      sequences: records.map(({ sequence }) => sequence),
      bytes: joinBytes(records.map(({ bytes }) => bytes)),
      lengths: records.map(({ bytes }) => bytes.length),
      projectsWithoutUploads,
    };
    this.#port.postMessage(task, [task.bytes.buffer]);
    return id;
  }

  collect(): HelperResult[] {
    // Without waiting for a turn of the event loop: whoever asks is in the middle of one.
    for (;;) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) break;
      this.#inbox.push(received.message);
    }
    const answers = this.#inbox.splice(0);
    this.#inFlight -= answers.length;
    return answers.map(({ id, digested, left }) => ({ id, digested: unpackDigested(digested), left }));
  }

  whenBack(timeoutMs: number): Promise<void> {
    if (this.#inbox.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
