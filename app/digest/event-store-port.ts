import type { MessagePort } from "node:worker_threads";
import type { EventLog, RowBatch, RowKey } from "../stores/events/event-log.ts";
import { transferablesOf } from "../stores/events/rows.ts";

/** The calls that the digest makes to the event store, which lives in another thread. */
export type DigestEventStore = Pick<EventLog, "appliedSequence" | "appliedAhead" | "findExisting" | "append">;

type Call = { id: number } & (
  | { method: "appliedSequence" | "appliedAhead"; journalId: string }
  | { method: "findExisting"; keys: readonly RowKey[] }
  | { method: "append"; batch: RowBatch }
);

/** Without the id: one member of the union at a time. */
type CallBody = Call extends infer Each ? (Each extends Call ? Omit<Each, "id"> : never) : never;

type Answer = { id: number; value: unknown } | { id: number; error: PlainError };

/** What an engine says with an error beside its message, which a copy to another thread would lose. */
interface PlainError {
  message: string;
  name: string;
  stack: string | undefined;
  code: unknown;
  errcode: unknown;
}

/** An error of the store, as it was on its thread. */
export class EventStoreError extends Error {
  override readonly name = "EventStoreError";
  /** Name of the error that the store threw. */
  readonly storeErrorName: string;
  readonly code: unknown;
  readonly errcode: unknown;

  constructor(error: PlainError) {
    super(`the event store failed: ${error.message}`);
    this.storeErrorName = error.name;
    this.code = error.code;
    this.errcode = error.errcode;
    if (error.stack !== undefined) this.stack = `${this.name}: ${error.stack}`;
  }
}

/** Answers the calls that come through the port. */
export function serveEventStore(port: MessagePort, events: DigestEventStore): void {
  port.on("message", async (call: Call) => {
    let answer: Answer;
    try {
      answer = { id: call.id, value: await answerCall(call, events) };
    } catch (error) {
      answer = { id: call.id, error: toPlainError(error) };
    }
    port.postMessage(answer);
  });
}

function answerCall(call: Call, events: DigestEventStore): Promise<unknown> {
  switch (call.method) {
    case "appliedSequence":
      return events.appliedSequence(call.journalId);
    case "appliedAhead":
      return events.appliedAhead(call.journalId);
    case "findExisting":
      return events.findExisting(call.keys);
    case "append":
      return events.append(call.batch);
  }
}

/** The event store on the other side of the port. Its calls reject with `EventStoreError`; rows that are appended move there. */
export function connectEventStore(port: MessagePort): DigestEventStore {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 0;
  port.on("message", (answer: Answer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) call?.reject(new EventStoreError(answer.error));
    else call?.resolve(answer.value);
  });

  function send<Value>(call: CallBody, transfer: ArrayBuffer[] = []): Promise<Value> {
    return new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve: (value) => resolve(value as Value), reject });
      port.postMessage({ ...call, id }, transfer);
    });
  }

  return {
    appliedSequence: (journalId) => send({ method: "appliedSequence", journalId }),
    appliedAhead: (journalId) => send({ method: "appliedAhead", journalId }),
    findExisting: (keys) => send({ method: "findExisting", keys }),
    append: (batch) => send({ method: "append", batch }, transferablesOf(batch.rows)),
  };
}

function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error))
    return { message: String(error), name: "", stack: undefined, code: undefined, errcode: undefined };
  const { message, name, stack } = error;
  return {
    message,
    name,
    stack,
    code: "code" in error ? error.code : undefined,
    errcode: "errcode" in error ? error.errcode : undefined,
  };
}
