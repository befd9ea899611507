import { connect, type Socket } from "node:net";

/** Status of the answer; null when the connection broke, with the reason. */
export type Answer = { status: number } | { status: null; reason: string };

const HEAD_END = "\r\n\r\n";

/**
 * One keep-alive connection over a plain socket with one request in flight: an HTTP client library would take more of the
 * machine than the server that is measured. It connects anew after a break.
 */
export class KeepAliveConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received = "";
  #onAnswer: ((answer: Answer) => void) | null = null;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** @throws when a request is in flight. */
  send(request: Buffer, onAnswer: (answer: Answer) => void): void {
    if (this.#onAnswer) throw new Error("a request is in flight on this connection");
    this.#onAnswer = onAnswer;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    this.#received = "";
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    let reason = "closed";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#receive(chunk, socket));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      reason = error.code ?? error.message;
    });
    socket.on("close", () => {
      // The next connection may be in use already.
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#finish({ status: null, reason });
    });
    return socket;
  }

  #receive(chunk: string, socket: Socket): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    const isWhole =
      length === undefined
        ? this.#received.endsWith(`0${HEAD_END}`)
        : this.#received.length >= headEnd + HEAD_END.length + Number(length);
    if (!isWhole) return;
    this.#received = "";
    if (/^connection: *close/im.test(head)) {
      this.#socket = null;
      socket.destroy();
    }
    this.#finish({ status: Number(head.slice(9, 12)) });
  }

  #finish(answer: Answer): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.(answer);
  }
}
