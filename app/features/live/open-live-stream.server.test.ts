import { expect, test, vi } from "vitest";
import type { LiveMessage } from "../../domain/live-message.ts";
import { createLiveFeed } from "../../server/live-feed.ts";
import { MAX_STREAMS_EACH, openLiveStream } from "./open-live-stream.server.ts";

function open({
  records = 0,
  published = [],
  user = { id: 1 },
}: {
  records?: number;
  published?: LiveMessage[];
  user?: { id: number } | null;
} = {}) {
  const feed = createLiveFeed({ error: () => {} });
  for (const message of published) feed.publish(message);
  let listenerCount = 0;
  const counted = {
    ...feed,
    subscribe(listener: (message: LiveMessage) => void) {
      listenerCount += 1;
      const end = feed.subscribe(listener);
      return () => {
        listenerCount -= 1;
        end();
      };
    },
  };
  const ending = new AbortController();
  const source = { user, live: counted, backlog: () => ({ records, recordsPerSecond: 10 }) };
  const stream = openLiveStream(source, ending.signal);
  if (stream === null) throw new Error("this person has too many streams");
  const bytes = stream.getReader();
  const decoder = new TextDecoder();
  const reader = {
    cancel: () => bytes.cancel(),
    async read() {
      const { done, value } = await bytes.read();
      return { done, value: decoder.decode(value) };
    },
  };
  return { live: feed, reader, ending, listenerCount: () => listenerCount };
}

/** Reads the first message of a connection, after the retry time. */
async function readWelcome(reader: { read(): Promise<{ value: string }> }): Promise<unknown[]> {
  const frames = [(await reader.read()).value, (await reader.read()).value];
  return frames.map((frame) => JSON.parse(frame.replace("data: ", "")));
}

const message = (eventId: string): LiveMessage => ({ kind: "first-event", at: 1, projectId: 1, issueId: 1, eventId });

test("says when to come back, and passes messages on as they come", async () => {
  const { live: feed, reader, ending } = open();
  expect((await reader.read()).value).toMatch(/^retry: \d+\n\n$/);
  await readWelcome(reader);
  feed.publish(message("a"));
  expect((await reader.read()).value).toBe(`data: ${JSON.stringify(message("a"))}\n\n`);
  ending.abort();
});

test("says at once when the newest message was published, and how much waits to be processed", async () => {
  const { reader, ending } = open({ records: 7, published: [message("before")] });
  await reader.read();
  expect(await readWelcome(reader)).toEqual([
    { kind: "hello", publishedAt: 1 },
    { kind: "backlog", at: expect.any(Number), records: 7, recordsPerSecond: 10 },
  ]);
  ending.abort();
});

test("says so, too, when there was no message, and when nothing waits: the page may have been read before", async () => {
  const { reader, ending } = open();
  await reader.read();
  expect(await readWelcome(reader)).toMatchObject([
    { kind: "hello", publishedAt: null },
    { kind: "backlog", records: 0 },
  ]);
  ending.abort();
});

test("ends, and listens no longer, when the reader has gone", async () => {
  const { reader, ending, listenerCount } = open();
  await reader.read();
  await readWelcome(reader);
  expect(listenerCount()).toBe(1);
  ending.abort();
  expect((await reader.read()).done).toBe(true);
  expect(listenerCount()).toBe(0);
});

test("listens no longer when the reader cancels", async () => {
  const { reader, listenerCount } = open();
  await reader.read();
  await reader.cancel();
  expect(listenerCount()).toBe(0);
});

test("a reader that does not keep up misses messages, is told so, and costs bounded memory", async () => {
  const { live: feed, reader, ending } = open();
  for (let index = 0; index < 20_000; index++) feed.publish(message(String(index)));
  let text = "";
  const readAll = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  })();
  await expect
    .poll(() => {
      feed.publish(message("after"));
      return text;
    })
    .toContain('"after"');
  ending.abort();
  await readAll;
  expect(text.length).toBeLessThan(300_000);
  expect(text).toMatch(/data: {"kind":"gap"}\n\ndata: .*"after"/);
});

test("ends after a while, so that the rights of the reader are checked again", async () => {
  vi.useFakeTimers();
  try {
    const { reader, listenerCount } = open();
    vi.advanceTimersByTime(10 * 60_000);
    expect(listenerCount()).toBe(0);
    for (let part = await reader.read(); !part.done; ) part = await reader.read();
  } finally {
    vi.useRealTimers();
  }
});

test("one person has a bounded number of streams, and those that ended make room", () => {
  const opened = Array.from({ length: MAX_STREAMS_EACH }, () => open({ user: { id: 7 } }));
  expect(() => open({ user: { id: 7 } })).toThrow("too many streams");
  const others = [open({ user: { id: 8 } }), open({ user: null })];
  opened.pop()?.ending.abort();
  opened.push(open({ user: { id: 7 } }));
  for (const { ending } of [...opened, ...others]) ending.abort();
  // A stream that ends twice is counted once.
  for (const { reader } of opened) void reader.cancel();
  expect(open({ user: { id: 7 } }).listenerCount()).toBe(1);
});
