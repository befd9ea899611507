import type { MessagePort } from "node:worker_threads";
import type { EventLog, RowBatch, RowKey } from "../stores/events/event-log.ts";
import { EVENTS } from "../stores/events/event-table.ts";
import { freeRows, transferablesOf } from "../stores/events/rows.ts";

/** The calls that the digest makes to the event store, which lives in another thread. */
export type DigestEventStore = Pick<EventLog, "appliedSequence" | "appliedAhead" | "findExisting" | "append">;

type Call = { id: number } & (
  | { method: "appliedSequence" | "appliedAhead"; journalId: string }
  | { method: "findExisting"; keys: readonly RowKey[] }
  | { method: "append"; batch: RowBatch; isLogged: boolean }
);

/** Says whether rows that were appended before they were logged may be stored now, or must be dropped. */
interface Logged {
  id: number;
  method: "logged";
  isLogged: boolean;
}

/** A call without its id. The conditional type keeps the members of the union apart. */
type CallBody = Call extends infer Each ? (Each extends Call ? Omit<Each, "id"> : never) : never;

type Answer = { id: number; value: unknown } | { id: number; error: PlainError };

/** The fields that an engine adds to an error beside its message. A copy to another thread would lose them. */
interface PlainError {
  message: string;
  name: string;
  stack: string | undefined;
  code: unknown;
  errcode: unknown;
}

/** An error of the store, as it was on its thread. */
class EventStoreError extends Error {
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
  const unlogged = new Map<number, PromiseWithResolvers<void>>();
  const settle = (id: number, isLogged: boolean) => {
    const { resolve, reject } = unlogged.get(id) ?? {};
    unlogged.delete(id);
    if (isLogged) resolve?.();
    else reject?.(new Error("the rows were not logged"));
  };

  function waitForLog(id: number): Promise<void> {
    const logged = Promise.withResolvers<void>();
    logged.promise.catch(() => undefined);
    unlogged.set(id, logged);
    return logged.promise;
  }

  port.on("message", async (call: Call | Logged) => {
    if (call.method === "logged") return settle(call.id, call.isLogged);
    let answer: Answer;
    try {
      const logged = call.method === "append" && !call.isLogged ? waitForLog(call.id) : undefined;
      answer = { id: call.id, value: await answerCall(call, events, logged) };
      if (call.method === "append") freeAppended(call.batch);
    } catch (error) {
      answer = { id: call.id, error: toPlainError(error) };
    }
    port.postMessage(answer);
  });
  // The other side is gone, and only it knew the result: the store must not wait forever.
  port.on("close", () => {
    for (const id of [...unlogged.keys()]) settle(id, false);
  });
}

/** The rows have moved here and are stored. The store keeps those of events for a while, and frees them itself. */
function freeAppended({ rows }: RowBatch): void {
  for (const each of rows) if (each.table !== EVENTS.name) freeRows(each);
}

function answerCall(call: Call, events: DigestEventStore, logged: Promise<void> | undefined): Promise<unknown> {
  switch (call.method) {
    case "appliedSequence":
      return events.appliedSequence(call.journalId);
    case "appliedAhead":
      return events.appliedAhead(call.journalId);
    case "findExisting":
      return events.findExisting(call.keys);
    case "append":
      return events.append(call.batch, logged);
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

  function send<Value>(call: CallBody, transfer: ArrayBuffer[] = [], id = nextId++): Promise<Value> {
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as Value), reject });
      port.postMessage({ ...call, id }, transfer);
    });
  }

  function append(batch: RowBatch, logged?: Promise<unknown>): ReturnType<DigestEventStore["append"]> {
    const id = nextId++;
    const tell = (isLogged: boolean) => port.postMessage({ id, method: "logged", isLogged } satisfies Logged);
    const isLogged = logged === undefined;
    const appended = send<{ stored: number; duplicates: number }>(
      { method: "append", batch, isLogged },
      transferablesOf(batch.rows),
      id,
    );
    logged?.then(
      () => tell(true),
      () => tell(false),
    );
    return appended;
  }

  return {
    appliedSequence: (journalId) => send({ method: "appliedSequence", journalId }),
    appliedAhead: (journalId) => send({ method: "appliedAhead", journalId }),
    findExisting: (keys) => send({ method: "findExisting", keys }),
    append,
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
