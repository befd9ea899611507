import { expect, test } from "vitest";
import { readTimelineOptions, toTimelinePath, writeTimelineOptions } from "./timeline-options.ts";

const read = (search: string) => readTimelineOptions(new URLSearchParams(search));

test("everything of a view is in its address, and comes back from it", () => {
  const options = {
    window: { fromUs: -350_000, toUs: 1_250 },
    atUs: -0.0 - 12_345,
    item: "span 00f067aa0ba902b7 17",
    time: "local",
    isAsSent: true,
    isList: true,
  } as const;
  const search = writeTimelineOptions(options);
  expect(search).toBe("from=-350&to=1.25&at=-12.345&item=span+00f067aa0ba902b7+17&time=local&clocks=sent&view=list");
  expect(read(search)).toEqual(options);
});

test("what one sees first needs no word", () => {
  expect(toTimelinePath("a")).toBe("/events/a/timeline");
  expect(toTimelinePath("a", { isList: true })).toBe("/events/a/timeline?view=list");
});

test.for(["from=1&to=1", "from=5&to=2", "from=-1", "from=x&to=3", "from=1e3&to=9e9", "from=0&to=99999999999"])(
  "an invalid window is ignored: %s",
  (search) => {
    expect(read(search).window).toBeNull();
  },
);
