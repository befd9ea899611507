import type { IncomingMessage, ServerResponse } from "node:http";
import type { RefusalTarget } from "./accept-envelope.ts";
import { type IngestAnswer, writeAnswer, writePixel } from "./answers.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import type { BodyReader } from "./read-body.ts";
import type { Refusal } from "./refusal.ts";

/** One request and its single answer. In every case the memory is given back, and the request is counted once. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly lease: BytesLease;
  send(answer: IngestAnswer): void;
  /** Sends the answer like `send`, but a success becomes an image. */
  sendPixel(answer: IngestAnswer): void;
  /** Refuses a request whose body was not read. */
  refuseUnread(refusal: Refusal, target: RefusalTarget | null, moreHeaders?: readonly string[]): void;
  /** The sender closed the connection: no answer can be sent. */
  abandon(): void;
}

export interface HttpExchangeParts {
  lease: BytesLease;
  reader: BodyReader;
  metrics: IngestMetrics;
  refuse: (refusal: Refusal, target: RefusalTarget | null) => IngestAnswer;
}

export function openHttpExchange(req: IncomingMessage, res: ServerResponse, parts: HttpExchangeParts): HttpExchange {
  const { lease, reader, metrics, refuse } = parts;
  const startedAt = performance.now();
  let isOver = false;

  function end(status: number, write: () => void): void {
    if (isOver) return;
    isOver = true;
    lease.release();
    write();
    metrics.answered(status, performance.now() - startedAt);
  }

  return {
    req,
    lease,
    send(answer) {
      end(answer.status, () => writeAnswer(res, answer));
    },
    sendPixel(answer) {
      end(answer.status, () => (answer.status === 200 ? writePixel(res) : writeAnswer(res, answer)));
    },
    refuseUnread(refusal, target, moreHeaders) {
      const answer = refuse(refusal, target);
      end(answer.status, () => {
        if (hasBody(req)) reader.discard(req);
        writeAnswer(res, answer, moreHeaders);
      });
    },
    abandon() {
      if (isOver) return;
      isOver = true;
      lease.release();
      metrics.refused("aborted", 1);
    },
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    (headers["content-length"] !== undefined && headers["content-length"] !== "0")
  );
}
