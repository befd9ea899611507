import { readNumbers, readTexts, type TableRows } from "../events/rows.ts";
import { hashText } from "./hash-text.ts";

/** Text columns that are cached for the events of an issue: pages filter by them or show their distribution. */
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

/** Texts without repeats, and codes that refer to them. */
export interface CodedTexts {
  names: ReadonlyArray<string | null>;
  /** The index in `names` of each row's text. */
  codes: ArrayLike<number>;
}

/** The columns of a batch that `IssueFactsCache` keeps, one element per event. */
export interface EventFacts {
  count: number;
  issueIds: Float64Array;
  projectIds: Float64Array;
  occurredAt: Float64Array;
  /** For each event the `hashText` of its user, or -1. */
  userHashes: Float64Array;
  texts: Readonly<Record<FactsColumn, CodedTexts>>;
}

export function readBatchFacts(rows: TableRows): EventFacts {
  return {
    count: rows.count,
    issueIds: readNumbers(rows, "issue_id"),
    projectIds: readNumbers(rows, "project_id"),
    occurredAt: readNumbers(rows, "occurred_at"),
    userHashes: Float64Array.from(readTexts(rows, "user_key"), (user) => (user === null ? -1 : hashText(user))),
    texts: Object.fromEntries(FACTS_COLUMNS.map((column) => [column, codeTexts(readTexts(rows, column))])) as Record<
      FactsColumn,
      CodedTexts
    >,
  };
}

function codeTexts(texts: ReadonlyArray<string | null>): CodedTexts {
  const names: Array<string | null> = [];
  const codeByText = new Map<string | null, number>();
  const codes = Uint32Array.from(texts, (text) => {
    const code = codeByText.get(text) ?? names.push(text) - 1;
    codeByText.set(text, code);
    return code;
  });
  return { names, codes };
}
