import { freeMemory } from "../domain/free-memory.ts";
import type { Journal } from "../journal/journal.ts";
import type { EnvelopeAcceptor, RefusalTarget } from "./accept-envelope.ts";
import type { IngestAnswer } from "./answers.ts";
import { type DecodeBody, freeUnpacked } from "./decode-body.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { IngestLimits } from "./ingest-limits.ts";
import type { IngestLog } from "./ingest-log.ts";
import { journalRefused } from "./journal-failure.ts";
import type { BodyReader } from "./read-body.ts";
import { Refusal } from "./refusal.ts";

/**
 * Turns an unpacked body into an answer. It only throws on a bug. The memory of an accepted body is freed then: nothing may use it any more.
 */
export type ProcessBody = (body: Uint8Array) => IngestAnswer | Promise<IngestAnswer>;

export interface BodyReceiver {
  /**
   * Reads a body of at most `maxBytes` unpacked, has it processed, and sends the answer. Refuses it unread if the headers or the journal's
   * state are reason enough. `target`: the project and sender under which a refusal counts, as far as known.
   */
  receive(exchange: HttpExchange, maxBytes: number, target: RefusalTarget | null, process: ProcessBody): void;
  /** Answers an exchange in which something threw. */
  fail(exchange: HttpExchange, error: unknown): void;
}

export interface BodyReceiverParts {
  reader: BodyReader;
  decodeBody: DecodeBody;
  journal: Pick<Journal, "refusal">;
  limits: IngestLimits;
  acceptor: Pick<EnvelopeAcceptor, "refuse">;
  log: IngestLog;
}

export function createBodyReceiver({
  reader,
  decodeBody,
  journal,
  limits,
  acceptor,
  log,
}: BodyReceiverParts): BodyReceiver {
  function fail(exchange: HttpExchange, error: unknown): void {
    log.error({ err: error }, "an ingest request failed");
    exchange.send(acceptor.refuse(new Refusal("internal_error", "internal error"), null));
  }

  function receive(exchange: HttpExchange, maxBytes: number, target: RefusalTarget | null, process: ProcessBody): void {
    const { req, lease } = exchange;
    const encoding = req.headers["content-encoding"];
    const maxWireBytes = isPacked(encoding) ? Math.min(limits.maxCompressedBytes, maxBytes) : maxBytes;
    const refusal = refuseByHeaders(Number(req.headers["content-length"] ?? 0), maxWireBytes);
    if (refusal !== null) {
      exchange.refuseUnread(refusal, target);
      return;
    }

    async function answer(body: Uint8Array): Promise<IngestAnswer> {
      if (body.length === 0) return acceptor.refuse(new Refusal("empty_body", "empty request body"), target);
      const decoded = decodeBody(body, encoding, maxBytes, lease);
      const bytes = decoded instanceof Promise ? await decoded : decoded;
      if (bytes instanceof Refusal) return acceptor.refuse(bytes, target);
      if (bytes !== body) freeMemory(body);
      const answer = await process(bytes);
      // Of a refused body, a part may still be being unpacked on another thread.
      if (answer.status !== 200) return answer;
      if (bytes === body) freeMemory(body);
      else freeUnpacked(bytes);
      return answer;
    }

    reader.read(req, maxWireBytes, lease, (result) => {
      if (result === null) exchange.abandon();
      else if (result instanceof Refusal) exchange.send(acceptor.refuse(result, target));
      else answer(result).then(exchange.send, (error) => fail(exchange, error));
    });
  }

  function refuseByHeaders(statedBytes: number, maxWireBytes: number): Refusal | null {
    if (statedBytes > maxWireBytes)
      return new Refusal("body_too_large", `the body is larger than ${maxWireBytes} bytes`);
    const refusal = journal.refusal(statedBytes);
    return refusal === null ? null : journalRefused(refusal);
  }

  return { receive, fail };
}

function isPacked(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity";
}
