import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LiveMessage } from "../../domain/live-message.ts";
import { createLiveFeed } from "../../engine/live-feed.ts";
import { openLiveStream } from "./open-live-stream.server.ts";

function open(records = 0) {
  const feed = createLiveFeed({ error: () => {} });
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
  const stream = openLiveStream({ feed: counted, backlog: () => ({ records, recordsPerSecond: 10 }) }, ending.signal);
  const bytes = stream.getReader();
  const decoder = new TextDecoder();
  const reader = {
    cancel: () => bytes.cancel(),
    async read() {
      const { done, value } = await bytes.read();
      return { done, value: decoder.decode(value) };
    },
  };
  return { feed, reader, ending, listenerCount: () => listenerCount };
}

const message = (eventId: string): LiveMessage => ({ kind: "first-event", at: 1, projectId: 1, issueId: 1, eventId });

test("says when to come back, and passes messages on as they come", async () => {
  const { feed, reader, ending } = open();
  expect((await reader.read()).value).toMatch(/^retry: \d+\n\n$/);
  feed.publish(message("a"));
  expect((await reader.read()).value).toBe(`data: ${JSON.stringify(message("a"))}\n\n`);
  ending.abort();
});

test("says at once how much waits to be processed", async () => {
  const { reader, ending } = open(7);
  await reader.read();
  expect((await reader.read()).value).toContain('"kind":"backlog","records":7');
  ending.abort();
});

test("ends, and listens no longer, when the reader has gone", async () => {
  const { reader, ending, listenerCount } = open();
  await reader.read();
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
  const { feed, reader, ending } = open();
  for (let index = 0; index < 20_000; index++) feed.publish(message(String(index)));
  let text = "";
  const readAll = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  })();
  await sleep(20);
  expect(text.length).toBeLessThan(300_000);
  feed.publish(message("after"));
  await sleep(20);
  ending.abort();
  await readAll;
  expect(text).toContain('data: {"kind":"gap"}');
  expect(text.indexOf("gap")).toBeLessThan(text.indexOf('"after"'));
});
