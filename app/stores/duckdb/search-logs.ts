import { listTests } from "../../domain/search/condition.ts";
import type { EventStore } from "../events/event-store.ts";
import type { LogFilter, LogKey } from "../events/logs.ts";
import { countLateLines } from "./count-late-lines.ts";
import { countLogs } from "./count-logs.ts";
import type { HotAttributes } from "./hot-attributes.ts";
import type { LogSumParts } from "./read-log-sums.ts";
import { findLogs, listNewLogs } from "./read-logs.ts";
import { summarizeLogs } from "./summarize-logs.ts";

type LogSearch = Pick<EventStore, "findLogs" | "listNewLogs" | "countLogs" | "countLateLines" | "summarizeLogs">;

export function createLogSearch(parts: LogSumParts, hot: HotAttributes): LogSearch {
  const { database } = parts;
  function noteSearched({ projectIds, where }: Omit<LogFilter, "from" | "to">, by: readonly LogKey[] = []): void {
    const tests = where === undefined ? [] : listTests(where);
    hot.note("logs", projectIds, [...by, ...tests.map(({ field, isTag }) => ({ name: field, isTag }))]);
  }
  return {
    findLogs(filter, page) {
      noteSearched(filter);
      return findLogs(database, filter, page);
    },
    listNewLogs(filter, range) {
      noteSearched(filter);
      return listNewLogs(database, filter, range);
    },
    countLogs(filter, options) {
      noteSearched(filter, options.by);
      return countLogs(database, filter, options);
    },
    countLateLines: (filter, lateMs) => countLateLines(database, filter, lateMs),
    summarizeLogs(filter, options) {
      noteSearched(filter);
      return summarizeLogs(parts, filter, options);
    },
  };
}
