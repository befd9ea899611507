import { parentPort } from "node:worker_threads";
import type { Positions } from "../domain/journal-positions.ts";
import type { TailNews, TailRequest } from "../domain/logs/log-tail.ts";
import { yieldProcessor } from "../yield-processor.ts";
import { LogTailer, type TailedBatch } from "./log-tailer.ts";

// The entry of the thread that looks through new log lines, which `log-tail.ts` starts.

export type ToTailThread =
  | { kind: "open"; id: number; request: TailRequest; from: Positions }
  | { kind: "ask"; id: number }
  | { kind: "close"; id: number }
  | { kind: "batch"; batch: TailedBatch; bytes: number }
  | { kind: "skipped"; upTo: Positions; counts: ReadonlyMap<number, number> };

export type FromTailThread =
  | { kind: "news"; id: number; news: TailNews }
  /** Bytes of batches that were looked through. */
  | { kind: "taken"; bytes: number };

const FLUSH_EVERY_MS = 200;

if (parentPort === null) throw new Error("log-tail-worker.ts is the entry of a thread");
const port = parentPort;
yieldProcessor();
const send = (message: FromTailThread) => port.postMessage(message);
const tailer = new LogTailer((id, news) => send({ kind: "news", id, news }), Date.now);
setInterval(() => tailer.flush(), FLUSH_EVERY_MS);

port.on("message", (message: ToTailThread) => {
  switch (message.kind) {
    case "open":
      return tailer.open(message.id, message.request, message.from);
    case "ask":
      return tailer.ask(message.id);
    case "close":
      return tailer.close(message.id);
    case "batch":
      tailer.take(message.batch);
      return send({ kind: "taken", bytes: message.bytes });
    case "skipped":
      return tailer.skip(message, message.counts);
  }
});
