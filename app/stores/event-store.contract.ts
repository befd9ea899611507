import { describe } from "vitest";
import { describeAppend } from "./event-store-contract/append.contract.ts";
import { describeCounts } from "./event-store-contract/counts.contract.ts";
import { describeDeletion } from "./event-store-contract/deletion.contract.ts";
import { describeEventSums } from "./event-store-contract/event-sums.contract.ts";
import type { CreateEventDatabase } from "./event-store-contract/fixture.ts";
import { describeIdentities } from "./event-store-contract/identities.contract.ts";
import { describeItemsAndRetention } from "./event-store-contract/items-and-retention.contract.ts";
import { describeListEvents } from "./event-store-contract/list-events.contract.ts";
import { describeLogSums, describeLogSumsOfRebuiltDay } from "./event-store-contract/log-sums.contract.ts";
import { describeLoggedEvents } from "./event-store-contract/logged-events.contract.ts";
import { describeLogs } from "./event-store-contract/logs.contract.ts";
import { describeMoveEvents } from "./event-store-contract/move-events.contract.ts";
import { describeNeighbours } from "./event-store-contract/neighbours.contract.ts";
import { describeSearch } from "./event-store-contract/search.contract.ts";
import { describeSessions } from "./event-store-contract/sessions.contract.ts";
import { describeSpanConditions } from "./event-store-contract/span-conditions.contract.ts";
import { describeSpanSearch } from "./event-store-contract/span-search.contract.ts";
import { describeSpanSums } from "./event-store-contract/span-sums.contract.ts";
import { describeSpans } from "./event-store-contract/spans.contract.ts";
import { describeTransactionSums } from "./event-store-contract/transaction-sums.contract.ts";
import { describeValues } from "./event-store-contract/values.contract.ts";

/** The contract of every engine of `EventStore`. Each case asks for an empty database of its own. */
export function describeEventStore(engine: string, createDatabase: CreateEventDatabase): void {
  describe(`EventStore on ${engine}`, () => {
    describe("appending", () => describeAppend(createDatabase));
    describe("what comes twice", () => describeIdentities(createDatabase));
    describe("values", () => describeValues(createDatabase));
    describe("listing events", () => describeListEvents(createDatabase));
    describe("searching", () => describeSearch(createDatabase));
    describe("neighbours of an event", () => describeNeighbours(createDatabase));
    describe("events on their way", () => describeLoggedEvents(createDatabase));
    describe("counts and tags", () => describeCounts(createDatabase));
    describe("sums of events", () => describeEventSums(createDatabase));
    describe("moving events", () => describeMoveEvents(createDatabase));
    describe("deleting", () => describeDeletion(createDatabase));
    describe("sessions", () => describeSessions(createDatabase));
    describe("spans and logs", () => describeSpans(createDatabase));
    describe("logs", () => describeLogs(createDatabase));
    describe("sums of logs", () => describeLogSums(createDatabase));
    describe("sums of logs of a day that is rebuilt", () => describeLogSumsOfRebuiltDay(createDatabase));
    describe("searching spans", () => describeSpanSearch(createDatabase));
    describe("conditions of spans", () => describeSpanConditions(createDatabase));
    describe("sums of spans", () => describeSpanSums(createDatabase));
    describe("sums of transactions", () => describeTransactionSums(createDatabase));
    describe("items, environments and retention", () => describeItemsAndRetention(createDatabase));
  });
}
