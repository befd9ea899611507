import { expect, test } from "vitest";
import { log, spanId } from "../event-store-contract/span-fixture.ts";
import { decodeLogRows } from "./decode-log-rows.ts";
import { LOG_ROWS } from "./log-table.ts";
import type { LogRow } from "./logs.ts";
import { type TableRows, toNewRow, toRowsByTable } from "./rows.ts";

test("rows come back as they were", () => {
  const texts = { template: "a {b}", origin: "auto", logger: "", release: "1", environment: "e", service: "s" };
  const more = { serverAddress: "host", userId: "u", replayId: "r", sdkName: "sdk", sdkVersion: "1.0" };
  const logs: LogRow[] = [
    log(7, { ...texts, ...more, attributes: "{}", rest: '{"a":1}', resource: "{}", spanId: spanId(3) }),
    log(8, { traceId: null, shiftUs: -5, tieBreaker: 0, level: null, body: "a\x1fb\x1c", occurredUs: -1 }),
    log(9, { body: "" }),
  ];
  const [rows] = toRowsByTable(logs.map((row) => ({ rows: [toNewRow(LOG_ROWS, row)] })));
  expect(decodeLogRows(rows as TableRows)).toEqual(logs);
});
