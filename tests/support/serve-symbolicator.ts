import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Symbolicator } from "../../app/symbolicate/symbolicator-client.ts";
import type { SymbolicationAnswer, SymbolicationRequest } from "../../app/symbolicate/symbolicator-thread.ts";

/** A port for another thread's `SymbolicatorClient`, behind which the function answers on this one. */
export function serveSymbolicator(symbolicate: Symbolicator["symbolicate"]): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", async ({ id, event, projectId, limitMs }: SymbolicationRequest) => {
    const result = await symbolicate(event, { projectId, limitMs });
    port1.postMessage({ kind: "done", id, ...result } satisfies SymbolicationAnswer);
  });
  port1.unref();
  return port2;
}
