import type { EventRow } from "../event-store.ts";
import { hashText } from "./hash-text.ts";
import { COPIED_TAG_COLUMNS } from "./tag-columns.ts";

/** Columns of texts that are held of issues: what pages filter by or show the distribution of. */
export const FACTS_COLUMNS = [
  "environment",
  "release",
  "transaction_name",
  "browser_name",
  "os_name",
  "runtime_name",
  "server_name",
] as const;

export type FactsColumn = (typeof FACTS_COLUMNS)[number];

/** Each text is there once. */
export interface CodedTexts {
  names: ReadonlyArray<string | null>;
  /** Place in `names` of each row's text. */
  codes: ArrayLike<number>;
}

/** What `IssueFactsCache` holds of events, column by column. */
export interface EventFacts {
  count: number;
  issueIds: Float64Array;
  projectIds: Float64Array;
  occurredAt: Float64Array;
  /** `hashText` of each user; -1 without one. */
  userHashes: Float64Array;
  texts: Readonly<Record<FactsColumn, CodedTexts>>;
}

const GETTERS: ReadonlyMap<string, (row: EventRow) => string | null> = new Map([
  ["environment", (row: EventRow) => row.environment],
  ["release", (row: EventRow) => row.release],
  ["transaction_name", (row: EventRow) => row.transaction],
  ...COPIED_TAG_COLUMNS.map(({ name, get }) => [name, get] as const),
]);

export function encodeEventFacts(events: readonly EventRow[]): EventFacts {
  return {
    count: events.length,
    issueIds: Float64Array.from(events, (event) => event.issueId),
    projectIds: Float64Array.from(events, (event) => event.projectId),
    occurredAt: Float64Array.from(events, (event) => Math.trunc(event.occurredAt)),
    userHashes: Float64Array.from(events, (event) => (event.userKey === null ? -1 : hashText(event.userKey))),
    texts: Object.fromEntries(FACTS_COLUMNS.map((column) => [column, codeTexts(events, column)])) as Record<
      FactsColumn,
      CodedTexts
    >,
  };
}

function codeTexts(events: readonly EventRow[], column: FactsColumn): CodedTexts {
  const get = GETTERS.get(column) ?? (() => null);
  // Half a surrogate pair does not get into the table either.
  const names: Array<string | null> = [];
  const codeByText = new Map<string | null, number>();
  const codes = Uint32Array.from(events, (event) => {
    const text = get(event);
    const code = codeByText.get(text) ?? names.push(text?.toWellFormed() ?? null) - 1;
    codeByText.set(text, code);
    return code;
  });
  return { names, codes };
}
