import { type OutcomeCount, withoutOwnWords } from "../outcome.ts";
import { HOUR_MS, toHour } from "../time.ts";

/**
 * Pairs of category and reason that are counted with their own words, per project and hour. Client reports are free text, and anyone
 * with a DSN may send them, so the number is bounded. Further pairs count under `withoutOwnWords`. SDKs know 15 reasons and some 17
 * categories. One project sees a few dozen pairs.
 */
export const MAX_REPORTED_PAIRS_PER_HOUR = 200;

/**
 * The longest time between a refusal and a client report about it. SDKs keep counts in memory and send them after a minute, when a page
 * is hidden, or with their next envelope. An application that is idle over night reports in the morning. A later report is more likely
 * about a network that failed, and must not vanish.
 */
export const MAX_REPORT_DELAY_MS = 24 * HOUR_MS;

export type CountedOutcome = OutcomeCount & {
  /** The sequence of its journal record. Absent: 0. */
  sequence?: number;
  /** True when category and reason are the words of a client report. The server's own words are never taken away. */
  isFromClientReport?: boolean;
  /**
   * For a loss that an SDK reports: the categories, in order, under which a refusal may have counted it already. The loss is then not
   * counted again. It is matched with what was counted with `canBeReported` in the same project and in an earlier record, at most
   * `MAX_REPORT_DELAY_MS` before (in whole hours). Each refused item is matched once.
   */
  refusedAs?: readonly string[];
};

/** A row of the ledger; `quantity` is to be added, and the sum to be cut at 2^53 - 1, because senders name quantities. */
export type OutcomeSumRow = Omit<OutcomeCount, "receivedAt" | "canBeReported"> & { hour: number };

/** Refused items of a project and hour that no client report has mentioned yet. */
export interface RefusedQuantity {
  projectId: number;
  category: string;
  hour: number;
  quantity: number;
}

export interface ReportedPair {
  projectId: number;
  hour: number;
  category: string;
  reason: string;
}

export interface KnownOutcomes {
  /** Sums of the projects of `findConcernedProjects`, by project and category, the oldest hour first. */
  refused: readonly RefusedQuantity[];
  /** Sums of the projects and hours of `findReportedHours`. */
  reportedPairs: readonly ReportedPair[];
}

export interface CountedOutcomes {
  rows: OutcomeSumRow[];
  /** The rest of each changed refusal; zero: nothing is left. */
  refused: RefusedQuantity[];
  newReportedPairs: ReportedPair[];
}

/** The projects whose refusals and reports meet in these outcomes. */
export function findConcernedProjects(outcomes: readonly CountedOutcome[]): number[] {
  return [...new Set(outcomes.filter(isConcerned).map(({ projectId }) => projectId))];
}

/** The projects and hours whose words of client reports must be known. */
export function findReportedHours(outcomes: readonly CountedOutcome[]): Array<{ projectId: number; hour: number }> {
  const hours = new Map<string, { projectId: number; hour: number }>();
  for (const { projectId, receivedAt, isFromClientReport } of outcomes) {
    if (!isFromClientReport) continue;
    const hour = toHour(receivedAt);
    hours.set(`${projectId} ${hour}`, { projectId, hour });
  }
  return [...hours.values()];
}

/**
 * Sums outcomes by row of the ledger. Refusals, reports and words are taken in the order of the journal: so they end the
 * same however batches are cut, and after a restart.
 */
export function countOutcomes(known: KnownOutcomes, outcomes: readonly CountedOutcome[]): CountedOutcomes {
  const refusals = new ReportableRefusals(known.refused);
  const repeated = takeRepeated(refusals, outcomes);
  const words = new ReportedWords(known.reportedPairs);
  const rows = new Map<string, OutcomeSumRow>();
  for (const counted of outcomes) {
    const { projectId, outcome, receivedAt } = counted;
    const quantity = toCount(counted) - (repeated.get(counted) ?? 0);
    if (!(quantity > 0)) continue;
    const hour = toHour(receivedAt);
    const { category, reason } = counted.isFromClientReport ? words.admit(counted, hour) : counted;
    // The length of the category comes first, so that no two pairs give the same key.
    const key = `${hour} ${projectId} ${outcome} ${category.length} ${category}${reason}`;
    const row = rows.get(key);
    if (row) row.quantity = Math.min(row.quantity + quantity, Number.MAX_SAFE_INTEGER);
    else rows.set(key, { projectId, outcome, category, reason, quantity, hour });
  }
  return { rows: [...rows.values()], refused: refusals.changed(), newReportedPairs: words.admitted };
}

function isConcerned({ canBeReported, refusedAs }: CountedOutcome): boolean {
  return canBeReported === true || refusedAs !== undefined;
}

/** The part of each loss in client reports that was already counted when it was refused. */
function takeRepeated(
  refusals: ReportableRefusals,
  outcomes: readonly CountedOutcome[],
): ReadonlyMap<CountedOutcome, number> {
  const repeated = new Map<CountedOutcome, number>();
  // Sorted by record, because batches may be cut anywhere. Within a record, a report is about losses before it.
  const concerned = outcomes
    .filter(isConcerned)
    .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0) || Number(!a.refusedAs) - Number(!b.refusedAs));
  for (const counted of concerned) {
    const { projectId, category, receivedAt, refusedAs } = counted;
    const quantity = toCount(counted);
    if (!(quantity > 0)) continue;
    const hour = toHour(receivedAt);
    if (refusedAs) repeated.set(counted, refusals.take({ projectId, categories: refusedAs, quantity }, hour));
    else refusals.add({ projectId, category, quantity }, hour);
  }
  return repeated;
}

/** A whole number; not above zero for what makes no sense. */
function toCount({ quantity }: OutcomeCount): number {
  return Math.min(Math.floor(quantity), Number.MAX_SAFE_INTEGER);
}

class ReportableRefusals {
  /** Refusals by project, then by category. Categories are the server's own words. The oldest hour comes first. */
  readonly #byProject = new Map<number, Map<string, RefusedQuantity[]>>();
  readonly #changed = new Set<RefusedQuantity>();

  constructor(known: readonly RefusedQuantity[]) {
    for (const refused of known) this.#of(refused.projectId, refused.category).push({ ...refused });
  }

  add({ projectId, category, quantity }: Omit<RefusedQuantity, "hour">, hour: number): void {
    for (const all of this.#byProject.get(projectId)?.values() ?? []) {
      for (const refused of all) if (isOver(refused, hour)) this.#set(refused, 0);
    }
    const all = this.#of(projectId, category);
    let refused = all.find((one) => one.hour === hour);
    if (refused === undefined) {
      refused = { projectId, category, hour, quantity: 0 };
      all.push(refused);
      all.sort((a, b) => a.hour - b.hour);
    }
    this.#set(refused, Math.min(refused.quantity + quantity, Number.MAX_SAFE_INTEGER));
  }

  /** Takes up to `quantity` from the first of the categories that has some, oldest hour first; gives how much that was. */
  take(
    { projectId, categories, quantity }: { projectId: number; categories: readonly string[]; quantity: number },
    hour: number,
  ): number {
    let left = quantity;
    for (const category of categories) {
      for (const refused of this.#byProject.get(projectId)?.get(category) ?? []) {
        if (left === 0) return quantity;
        if (isOver(refused, hour)) continue;
        const taken = Math.min(left, refused.quantity);
        this.#set(refused, refused.quantity - taken);
        left -= taken;
      }
    }
    return quantity - left;
  }

  changed(): RefusedQuantity[] {
    return [...this.#changed];
  }

  #of(projectId: number, category: string): RefusedQuantity[] {
    let byCategory = this.#byProject.get(projectId);
    if (byCategory === undefined) {
      byCategory = new Map();
      this.#byProject.set(projectId, byCategory);
    }
    const all = byCategory.get(category) ?? [];
    byCategory.set(category, all);
    return all;
  }

  #set(refused: RefusedQuantity, quantity: number): void {
    if (refused.quantity === quantity) return;
    refused.quantity = quantity;
    this.#changed.add(refused);
  }
}

const MAX_DELAY_HOURS = MAX_REPORT_DELAY_MS / HOUR_MS;

/** True when no report that comes in this hour may speak of it any more. */
function isOver(refused: RefusedQuantity, hour: number): boolean {
  return refused.hour < hour - MAX_DELAY_HOURS;
}

/** The words of client reports that a project's hour counts. */
class ReportedWords {
  readonly admitted: ReportedPair[] = [];
  readonly #pairsByHour = new Map<string, Set<string>>();

  constructor(known: readonly ReportedPair[]) {
    for (const pair of known) this.#pairsOf(pair.projectId, pair.hour).add(toPair(pair));
  }

  /** The words to count it under: its own, while the hour has room for them. */
  admit({ projectId, category, reason }: OutcomeCount, hour: number): Pick<OutcomeCount, "category" | "reason"> {
    const pairs = this.#pairsOf(projectId, hour);
    const pair = { projectId, hour, category, reason };
    if (pairs.has(toPair(pair))) return { category, reason };
    if (pairs.size >= MAX_REPORTED_PAIRS_PER_HOUR) return withoutOwnWords(category);
    pairs.add(toPair(pair));
    this.admitted.push(pair);
    return { category, reason };
  }

  #pairsOf(projectId: number, hour: number): Set<string> {
    const key = `${projectId} ${hour}`;
    const pairs = this.#pairsByHour.get(key) ?? new Set();
    this.#pairsByHour.set(key, pairs);
    return pairs;
  }
}

/** With the length, two different pairs of category and reason cannot give the same text. */
function toPair({ category, reason }: ReportedPair): string {
  return `${category.length} ${category}${reason}`;
}
