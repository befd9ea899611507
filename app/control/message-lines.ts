import type { Socket } from "node:net";
import { isRecord } from "../domain/is-record.ts";

/** Both sides send one JSON object a line. */
export type Message = Readonly<Record<string, unknown>>;

/** Requests and answers are short; progress comes in many lines. */
const MAX_LINE_BYTES = 256 * 1024;

export class ConnectionEndedError extends Error {
  override readonly name = "ConnectionEndedError";
}

/** Messages over a socket, in both directions, one at a time. */
export class MessageLines {
  readonly #socket: Socket;
  readonly #received: Message[] = [];
  readonly #ended = new AbortController();
  #buffer = "";
  #waiting: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text) => this.#take(String(text)));
    // The other side's death shows as a close, too.
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
    socket.on("end", () => this.#end());
  }

  /** Aborts when the other side has gone. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  send(message: Message): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** @throws {ConnectionEndedError} when the other side goes, and an error when it says nothing for so long. */
  async receive(withinMs: number): Promise<Message> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const next = this.#received.shift();
      if (next) return next;
      if (this.ended.aborted) throw new ConnectionEndedError("the other side has closed the connection");
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Error(`the other side said nothing for ${Math.round(withinMs / 1000)} s`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waiting = null;
    }
  }

  #take(text: string): void {
    this.#buffer += text;
    const lines = this.#buffer.split("\n");
    this.#buffer = lines.pop() ?? "";
    for (const line of lines) {
      const message = parseMessage(line);
      if (message) this.#received.push(message);
      else this.#socket.destroy();
    }
    if (this.#buffer.length > MAX_LINE_BYTES) this.#socket.destroy();
    this.#waiting?.();
  }

  #end(): void {
    this.#ended.abort();
    this.#waiting?.();
  }
}

function parseMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
