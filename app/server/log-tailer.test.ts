import { expect, test } from "vitest";
import type { TailNews, TailRequest } from "../domain/logs/log-tail.ts";
import type { ScopedProjectIds } from "../domain/scope.ts";
import { bindSearch } from "../domain/search/bind-search.ts";
import { LOG_VOCABULARY } from "../domain/search/log-vocabulary.ts";
import { parseSearch } from "../domain/search/parse-search.ts";
import { log } from "../stores/event-store-contract/span-fixture.ts";
import { LOG_ROWS } from "../stores/events/log-table.ts";
import type { LogRow } from "../stores/events/logs.ts";
import { type TableRows, toNewRow, toRowsByTable } from "../stores/events/rows.ts";
import { LogTailer, type TailedBatch } from "./log-tailer.ts";

function toRequest(search = "", change: Partial<TailRequest> = {}): TailRequest {
  const { condition } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, 0);
  const projectIds = [1] as unknown as ScopedProjectIds;
  return { projectIds, environments: [], where: condition, columns: [], slugs: new Map(), ...change };
}

function toBatch(logs: readonly LogRow[], change: Partial<TailedBatch> = {}): TailedBatch {
  const [rows] = toRowsByTable(logs.map((row) => ({ rows: [toNewRow(LOG_ROWS, row)] })));
  const upTo = Math.max(...logs.map(({ sequence }) => sequence)) + 1;
  return { upTo: [upTo], rows: rows as TableRows, applied: 0, leftOut: [], ...change };
}

function open(request = toRequest()) {
  const told: TailNews[] = [];
  const clock = { now: 0 };
  const tailer = new LogTailer(
    (_, news) => told.push(news),
    () => clock.now,
  );
  tailer.open(1, request, [0]);
  const ask = () => {
    tailer.ask(1);
    tailer.flush();
    return told.splice(0);
  };
  return { tailer, clock, ask };
}

test("gives the lines that match, in their order, and counts the others", () => {
  const { tailer, ask } = open(
    toRequest("plan:pro !severity:error", { environments: ["production"], columns: ["plan"] }),
  );
  const made = (sequence: number, change: Partial<LogRow> = {}) =>
    log(sequence, { environment: "production", attributes: '{"plan":"pro"}', ...change });
  const logs = [
    made(1),
    made(2, { severity: 17 }),
    made(3, { environment: "staging" }),
    made(4, { environment: null }),
    made(5, { projectId: 2 }),
    made(6, { attributes: null }),
    made(7),
  ];
  tailer.take(toBatch(logs));
  const [news] = ask();
  expect(news?.lines.map(({ body, values }) => [body, values])).toEqual([
    ["line 1", ["pro"]],
    ["line 7", ["pro"]],
  ]);
  expect(news).toMatchObject({ arrived: 4, matched: 2, leftOut: 0, notRead: 0, upTo: [8] });
});

test("a line that names no service has what stands for it in its project", () => {
  const { tailer, ask } = open(toRequest("", { columns: ["service"], slugs: new Map([[1, "web-shop"]]) }));
  tailer.take(toBatch([log(1, { service: "payments" }), log(2, { service: null })]));
  expect(ask().flatMap(({ lines }) => lines.map(({ values }) => values))).toEqual([["payments"], ["web-shop"]]);
});

test("gives nothing twice: neither what was stored before, nor what was left out of the batch", () => {
  const { tailer, ask } = open();
  tailer.take(toBatch([log(1), log(2), log(3)], { applied: 2, leftOut: [2] }));
  expect(ask().flatMap(({ lines }) => lines.map(({ body }) => body))).toEqual(["line 2"]);
});

test("a reader that does not ask gets the rest later, and can begin again where it was", () => {
  const { tailer, ask } = open();
  tailer.take(toBatch(Array.from({ length: 600 }, (_, index) => log(index))));
  tailer.take(toBatch(Array.from({ length: 10 }, (_, index) => log(600 + index))));
  const [first] = ask();
  expect(first?.lines).toHaveLength(500);
  expect(first).toMatchObject({ upTo: [0], matched: 610 });
  const [second] = ask();
  expect(second?.lines.map(({ body }) => body).slice(-1)).toEqual(["line 609"]);
  expect(second).toMatchObject({ upTo: [610], matched: 0 });
});

test("what is too much for a reader is left out, the oldest first, and counted", () => {
  const { tailer, ask } = open();
  const body = "x".repeat(500);
  for (let batch = 0; batch < 10; batch++)
    tailer.take(toBatch(Array.from({ length: 500 }, (_, index) => log(batch * 500 + index, { body }))));
  const [first] = ask();
  expect(first?.matched).toBe(5_000);
  let given = first?.lines.length ?? 0;
  for (let news = ask(); news[0]?.lines.length; news = ask()) given += news[0].lines.length;
  expect(first?.leftOut).toBe(5_000 - given);
  expect(given).toBeLessThan(2_000);
});

test("a reader hears within a second that lines came and did not match, and later that nothing came", () => {
  const { tailer, clock, ask } = open(toRequest("severity:fatal"));
  tailer.take(toBatch([log(1)]));
  expect(ask()).toEqual([]);
  clock.now += 1_000;
  expect(ask()).toMatchObject([{ lines: [], arrived: 1, matched: 0, upTo: [2] }]);
  tailer.skip(
    { upTo: [9] },
    new Map([
      [1, 3],
      [2, 4],
    ]),
  );
  clock.now += 1_000;
  expect(ask()).toMatchObject([{ arrived: 0, notRead: 3, upTo: [9] }]);
  clock.now += 9_999;
  expect(ask()).toEqual([]);
  clock.now += 1;
  expect(ask()).toMatchObject([{ lines: [], upTo: [9] }]);
});
