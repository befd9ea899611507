import { expect, test } from "vitest";
import { createRandom } from "../../../bench/random.ts";
import type { LogLine } from "../../domain/logs/log-line.ts";
import {
  type LinesPage,
  type LogList,
  MAX_LISTED,
  showWaiting,
  toLogList,
  withNew,
  withOlder,
  withPage,
} from "./log-list.ts";

const line = (at: number, id = String(at)): LogLine => ({ id, occurredUs: at, severity: "info", body: "", values: [] });
const page = (...at: number[]): LinesPage => ({
  lines: at.map((each) => line(each)),
  next: { occurredUs: at.at(-1) ?? 0 },
  readUpTo: null,
});
const ids = ({ lines }: LogList) => lines.map(({ id }) => id);

test("grows at both ends, each line once, by time", () => {
  let list = toLogList(page(30, 20));
  list = withOlder(list, { lines: [line(10), line(5)], next: null, readUpTo: null });
  list = withNew(list, [line(40), line(25), line(30)], false);
  expect(ids(list)).toEqual(["40", "30", "25", "20", "10", "5"]);
  expect(list.next).toBeNull();
  expect(list.lines.filter(({ isNew }) => isNew).map(({ id }) => id)).toEqual(["40", "25"]);
});

test("lines that differ in nothing are all there", () => {
  const list = withNew(
    toLogList({ ...page(), lines: [line(1, "a"), line(1, "a")] }),
    [line(2, "b"), line(2, "b")],
    false,
  );
  expect(ids(list)).toEqual(["b", "b", "a", "a"]);
  expect(new Set(list.lines.map(({ key }) => key)).size).toBe(4);
});

test("new lines wait while somebody reads", () => {
  const paused = withNew(withNew(toLogList(page(10)), [line(20)], true), [line(30)], true);
  expect(ids(paused)).toEqual(["10"]);
  expect(paused.waiting).toHaveLength(2);
  expect(ids(showWaiting(paused))).toEqual(["30", "20", "10"]);
});

test("lines of one instant stand as the store gives them: what came last is first", () => {
  let list = toLogList({ ...page(), lines: [line(20, "d"), line(20, "c")] });
  list = withNew(list, [line(20, "e"), line(30, "g"), line(20, "f")], false);
  list = withOlder(list, { ...page(), lines: [line(20, "b"), line(20, "a")] });
  expect(ids(list)).toEqual(["g", "f", "e", "d", "c", "b", "a"]);
  expect(ids(withPage(list, { ...page(), lines: [line(30, "h"), line(30, "g")] }, false))[0]).toBe("h");
});

test("a page that was read again is joined, unless there is a gap between", () => {
  const list = withOlder(toLogList(page(30, 20)), page(10, 5));
  expect(ids(withPage(list, page(40, 30), false))).toEqual(["40", "30", "20", "10", "5"]);
  for (const isLive of [false, true]) expect(ids(withPage(list, page(90, 80), isLive))).toEqual(["90", "80"]);
});

test("a search that stopped before it came to the lines of a live tail leaves them there", () => {
  const list = withNew(toLogList(page(30, 20)), [line(40)], false);
  const stopped: LinesPage = { lines: [], next: { occurredUs: 60 }, readUpTo: 0.06 };
  expect(ids(withPage(list, stopped, true))).toEqual(["40", "30", "20"]);
  expect(withPage(list, stopped, false)).toMatchObject({ lines: [], next: stopped.next });
  expect(withPage(toLogList(page()), stopped, true).next).toEqual(stopped.next);
});

test("holds so many lines and no more, and goes on behind the last one", () => {
  const many = Array.from({ length: MAX_LISTED }, (_, index) => line(100 + index));
  const list = withNew(toLogList(page(10)), many, false);
  expect(list.lines).toHaveLength(MAX_LISTED);
  expect(list.next).toEqual({ id: "100" });
});

test("behind waiting lines that were too many, the list begins again", () => {
  const many = Array.from({ length: MAX_LISTED }, (_, index) => line(100 + index));
  const paused = withNew(withNew(toLogList(page(10)), [line(20)], true), many, true);
  expect(paused.droppedCount).toBe(1);
  const list = showWaiting(paused);
  expect(list.lines.at(-1)?.id).toBe("100");
  expect(list).toMatchObject({ next: { id: "100" }, droppedCount: 0, waiting: [] });
});

test("is the same as sorting all of them, whatever comes in whatever order", () => {
  const random = createRandom(4);
  for (let round = 0; round < 200; round++) {
    let list = toLogList(page());
    const all = new Map<string, LogLine>();
    for (let batch = 0; batch < 4; batch++) {
      const lines = Array.from({ length: random.whole(6) }, () => line(random.whole(12)));
      for (const each of lines) all.set(each.id, each);
      const once = [...new Map(lines.map((each) => [each.id, each])).values()];
      list = random.whole(2) === 0 ? withNew(list, once, false) : withOlder(list, { ...page(), lines: once });
    }
    const sorted = [...all.values()].sort((one, other) => other.occurredUs - one.occurredUs);
    expect(ids(list)).toEqual(sorted.map(({ id }) => id));
  }
});
