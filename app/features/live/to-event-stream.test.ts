import { expect, test } from "vitest";
import { toEventStream } from "./to-event-stream.ts";

const toStream = (...texts: string[]) => new Blob([texts.join("")]).stream();

test("tells once that its stream has ended, after all of it was read", async () => {
  let ends = 0;
  const response = toEventStream(toStream("data: 1\n\n", "data: 2\n\n"), () => ends++);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(ends).toBe(0);
  expect(await response.text()).toBe("data: 1\n\ndata: 2\n\n");
  expect(ends).toBe(1);
});

test("tells that its reader has gone, and so does the stream", async () => {
  let ends = 0;
  let reason: unknown;
  const stream = new ReadableStream<Uint8Array>({
    cancel: (given) => {
      reason = given;
    },
  });
  await toEventStream(stream, () => ends++).body?.cancel("gone");
  expect([ends, reason]).toEqual([1, "gone"]);
});
