import { expect, test } from "vitest";
import { mergeStreams } from "./merge-streams.server.ts";

function toSource() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      isCancelled = true;
    },
  });
  return {
    stream,
    send: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    isCancelled: () => isCancelled,
  };
}

function toReader(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  return {
    cancel: () => reader.cancel(),
    async read() {
      const { value, done } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    },
  };
}

test("passes on the chunks of both as they come, and goes on after the side has ended", async () => {
  const [main, side] = [toSource(), toSource()];
  const merged = toReader(mergeStreams(main.stream, side.stream));
  side.send("a");
  expect(await merged.read()).toBe("a");
  main.send("1");
  expect(await merged.read()).toBe("1");
  side.send("b");
  expect(await merged.read()).toBe("b");
  side.end();
  const next = merged.read();
  main.send("2");
  expect(await next).toBe("2");
});

test("ends with the main stream, and gives the side back", async () => {
  const [main, side] = [toSource(), toSource()];
  const merged = toReader(mergeStreams(main.stream, side.stream));
  main.end();
  expect(await merged.read()).toBeNull();
  expect(side.isCancelled()).toBe(true);
});

test("gives both back when its reader goes away", async () => {
  const [main, side] = [toSource(), toSource()];
  await toReader(mergeStreams(main.stream, side.stream)).cancel();
  expect([main.isCancelled(), side.isCancelled()]).toEqual([true, true]);
});
