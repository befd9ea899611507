import { Writable } from "node:stream";

/**
 * HTML that is rendered within this time is sent together. React writes two kilobytes at a time, and the loaders' data comes in a handful
 * of parts right behind the page. Each piece would be compressed, flushed and sent separately, which takes longer than rendering it.
 * Milliseconds.
 */
const GATHER_MS = 5;
const HEAD_END = Buffer.from("</head>");

export interface DocumentStream {
  /** The stream into which React writes. */
  readonly input: Writable;
  /** The document in few pieces, with `html` before the end of its head. Cancelling it destroys the input. */
  readonly body: ReadableStream<Uint8Array>;
}

export function createDocumentStream(html: string): DocumentStream {
  let pieces: Buffer[] = [];
  let isHeadOpen = html !== "";
  let timer: NodeJS.Timeout | null = null;
  let controller: ReadableStreamDefaultController<Uint8Array>;

  function send(isEnd: boolean): void {
    timer = null;
    let joined = Buffer.concat(pieces);
    if (isHeadOpen) {
      const at = joined.indexOf(HEAD_END);
      if (at === -1 && !isEnd) return;
      if (at !== -1) joined = Buffer.concat([joined.subarray(0, at), Buffer.from(html), joined.subarray(at)]);
      isHeadOpen = false;
    }
    pieces = [];
    if (joined.length > 0) controller.enqueue(joined);
  }

  const input = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      timer ??= setTimeout(send, GATHER_MS, false);
      done();
    },
    final(done) {
      if (timer) clearTimeout(timer);
      send(true);
      controller.close();
      done();
    },
    destroy(error, done) {
      if (timer) clearTimeout(timer);
      // The end of a document that is whole has been told already.
      if (!input.writableFinished) controller.error(error ?? new Error("the rendering was stopped"));
      done(error);
    },
  });
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel(reason) {
      input.destroy(reason instanceof Error ? reason : undefined);
    },
  });
  return { input, body };
}
