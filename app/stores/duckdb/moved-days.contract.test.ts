import { describe } from "vitest";
import { describeDeletion } from "../event-store-contract/deletion.contract.ts";
import { describeItemsAndRetention } from "../event-store-contract/items-and-retention.contract.ts";
import { describeLogSums } from "../event-store-contract/log-sums.contract.ts";
import { describeLogs } from "../event-store-contract/logs.contract.ts";
import { describeSpanConditions } from "../event-store-contract/span-conditions.contract.ts";
import { describeSpanSearch } from "../event-store-contract/span-search.contract.ts";
import { describeSpanSums } from "../event-store-contract/span-sums.contract.ts";
import { describeSpans } from "../event-store-contract/spans.contract.ts";
import { describeTransactionSums } from "../event-store-contract/transaction-sums.contract.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

const createDatabase = () => createDuckdbEventDatabase({ rowsOfMovedDay: 1 }, { movesDays: true });

// What was appended first of a day lies in a file, and the rest in the table: nobody who reads can tell.
describe("EventStore on DuckDB, with days in files", () => {
  describe("deleting", () => describeDeletion(createDatabase));
  describe("spans and logs", () => describeSpans(createDatabase));
  describe("logs", () => describeLogs(createDatabase));
  describe("sums of logs", () => describeLogSums(createDatabase));
  describe("searching spans", () => describeSpanSearch(createDatabase));
  describe("conditions of spans", () => describeSpanConditions(createDatabase));
  describe("sums of spans", () => describeSpanSums(createDatabase));
  describe("sums of transactions", () => describeTransactionSums(createDatabase));
  describe("items, environments and retention", () => describeItemsAndRetention(createDatabase));
});
