import type { MessagePort } from "node:worker_threads";
import type { EventBatch, EventStore, RowKey } from "../stores/event-store.ts";

/** The calls that the digest makes to the event store, which lives in another thread. */
export type DigestEventStore = Pick<EventStore, "appliedSequence" | "findExisting" | "append">;

/** The same on the side of the store: batches arrive as the digest's thread has encoded them. */
export interface EncodedEventStore extends Pick<EventStore, "appliedSequence" | "findExisting"> {
  appendEncoded(encoded: unknown): ReturnType<EventStore["append"]>;
}

type Call = { id: number } & (
  | { method: "appliedSequence"; journalId: string }
  | { method: "findExisting"; keys: readonly RowKey[] }
  | { method: "append"; encoded: unknown }
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
export function serveEventStore(port: MessagePort, events: EncodedEventStore): void {
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

function answerCall(call: Call, events: EncodedEventStore): Promise<unknown> {
  switch (call.method) {
    case "appliedSequence":
      return events.appliedSequence(call.journalId);
    case "findExisting":
      return events.findExisting(call.keys);
    case "append":
      return events.appendEncoded(call.encoded);
  }
}

/** The event store on the other side of the port. Its calls reject with `EventStoreError`. */
export function connectEventStore(
  port: MessagePort,
  encode: (batch: EventBatch) => { encoded: unknown; transfer: ArrayBuffer[] },
): DigestEventStore {
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
    findExisting: (keys) => send({ method: "findExisting", keys }),
    append: async (batch) => {
      const { encoded, transfer } = encode(batch);
      return send({ method: "append", encoded }, transfer);
    },
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
