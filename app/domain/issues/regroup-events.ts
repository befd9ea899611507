import type { Resolution } from "../release.ts";
import type { OrderedRelease } from "../releases/release-order.ts";
import type { FoundIssue } from "./apply-occurrences.ts";
import { type IsOldNews, IssueChange, type Transition } from "./issue-change.ts";
import type { KnownIssue } from "./known-issue.ts";
import type { IssueHeadline, IssueOccurrence } from "./occurrence.ts";
import { isOldNews } from "./resolutions.ts";
import { SplitLimit } from "./split-limit.ts";

/** The facts of an event that are needed to move its counts from one issue to another. */
export type RegroupedEvent = Pick<
  IssueOccurrence,
  "eventId" | "occurredAt" | "environment" | "userKey" | "release" | "missingSourceMaps"
>;

/** Events of one issue that share their new keys, after a source map was uploaded. */
export interface RegroupedEvents extends Pick<IssueOccurrence, "hashes" | "earlier" | "kin" | "grouping"> {
  /** The texts of the latest of the events. */
  headline: IssueHeadline;
  /** At least one. The event store must list them under this issue. Otherwise nobody knows whether they were already moved. */
  events: RegroupedEvent[];
}

/** The releases and resolutions by which an event may bring a resolved issue back. */
export interface KnownRegressions {
  /** Resolutions by issue id. */
  resolutions: ReadonlyMap<number, Resolution>;
  /** Releases by version. */
  releases: ReadonlyMap<string, OrderedRelease>;
}

/** Everything stored that decides where the events of an issue go. */
export interface KnownRegrouping extends KnownRegressions {
  from: KnownIssue;
  /** Events that are counted with the from-issue. */
  eventCount: number;
  /** True when a source map has given the from-issue some of its hashes. */
  hasRegroupedHash: boolean;
  /** Events that moved before, with their issue: the event store may not know yet. */
  movedEvents: ReadonlyMap<string, number>;
  /** The issues of the keys that the groups have and seek. */
  issueIdByHash: ReadonlyMap<string, number>;
  issueIdByAlias: ReadonlyMap<string, number>;
  /** Issues that came of each split that groups name, by its id. */
  splitCounts: ReadonlyMap<number, number>;
  /** Every issue that one of the two names. */
  issues: ReadonlyMap<number, KnownIssue>;
  /** Earlier moves of events out of the from-issue, oldest first. An issue that was merged since is named as the issue that it is now. */
  earlierMoves: ReadonlyArray<{ issueId: number; eventCount: number }>;
}

/** Why events are grouped again if the reason is not a source map: people changed the rules. */
export interface RegroupingByRules {
  /** `split`: an issue was split, or a split was ended. `merge`: a merge was undone. */
  cause: "split" | "rules" | "merge";
  /** The move of stored events that it belongs to, and who asked for it: an issue that ends by it can come back. */
  move?: { id: number; userId: number | null };
  /** Whether the from-issue ends when no event is left in it. */
  mayEnd: boolean;
}

/** Events that go to one issue together. */
export interface IssueMove {
  change: IssueChange;
  eventIds: string[];
  earliestAt: number;
  latestAt: number;
}

export interface RegroupedGroup {
  issue: FoundIssue;
  /** `named`: the events stay and the group gives the issue its name. `kept`: they stay. */
  outcome: "named" | "kept" | "joined" | "split_off";
  transition: Transition;
  eventIds: string[];
}

export interface RegroupingPlan {
  /** The change of the from-issue by groups that stay. */
  kept: IssueChange | null;
  moves: IssueMove[];
  /** The names of environments, by the indexes in the changes. */
  environments: string[];
  groups: RegroupedGroup[];
  /** The issue that the from-issue was merged into. Null: the from-issue remains. */
  mergedInto: FoundIssue | null;
}

/** Decides where the groups of events go: see ReprocessingStore.regroupEvents. */
export function planRegrouping(
  known: KnownRegrouping,
  change: { groups: readonly RegroupedEvents[]; isComplete?: boolean; at: number; byRules?: RegroupingByRules },
): RegroupingPlan {
  const groups = limitSplits(withoutEvents(change.groups, known.movedEvents), known);
  const plan = new Planner(known, change.at);
  const isStaying = groups.some((group) => plan.isStaying(group));
  const total = groups.reduce((sum, group) => sum + group.events.length, 0);
  const mayEmpty = !isStaying && (change.isComplete === true || total >= known.eventCount);
  let mayName = change.byRules === undefined && (mayEmpty || !known.hasRegroupedHash);
  // The largest first, because it may name the issue.
  for (const group of groups.toSorted((a, b) => b.events.length - a.events.length)) {
    if (plan.add(group, mayName) === "named") mayName = false;
  }
  const hasLeft = groups.length + known.movedEvents.size > 0 && plan.kept === null && !isStaying;
  const mayEnd = change.byRules?.mayEnd ?? true;
  const isEmpty = mayEnd && hasLeft && (change.isComplete === true || plan.movedCount >= known.eventCount);
  return { ...plan.result(), mergedInto: isEmpty ? plan.findMainTarget() : null };
}

/** The events of a group as they would have come with its keys and texts, in the order of their times. */
export function toOccurrences(
  { headline, events, hashes, grouping }: RegroupedEvents,
  { projectId, receivedAt }: Pick<IssueOccurrence, "projectId" | "receivedAt">,
): IssueOccurrence[] {
  // An event may bring the title that it is stored with.
  const { title } = headline;
  return events
    .toSorted((a, b) => a.occurredAt - b.occurredAt)
    .map((event) => ({ ...headline, ...event, title, sequence: 0, projectId, hashes, grouping, receivedAt }));
}

/** Counts the occurrences with the issue. The names of their environments are added to `environments`, whose indexes are used. */
export function addOccurrences(
  change: IssueChange,
  occurrences: readonly IssueOccurrence[],
  { releases, environments }: Pick<KnownRegressions, "releases"> & { environments: string[] },
): void {
  for (const occurrence of occurrences) {
    const name = occurrence.environment ?? "";
    if (!environments.includes(name)) environments.push(name);
    const release = occurrence.release === null ? null : (releases.get(occurrence.release) ?? null);
    change.add(occurrence, environments.indexOf(name), release);
  }
}

export function toIsOldNews({ resolutions, releases }: KnownRegressions): IsOldNews {
  return (issueId, resolvedAt, release) => {
    const resolution = resolutions.get(issueId);
    if (resolution === undefined) return false;
    return isOldNews({ resolution, resolvedAt }, release, (version) => releases.get(version) ?? null);
  };
}

/** Removes duplicate events, and events that were moved before. */
function withoutEvents(groups: readonly RegroupedEvents[], moved: ReadonlyMap<string, number>): RegroupedEvents[] {
  const seen = new Set(moved.keys());
  return groups
    .map((group) => ({
      ...group,
      events: group.events.filter(({ eventId }) => {
        if (seen.has(eventId)) return false;
        seen.add(eventId);
        return true;
      }),
    }))
    .filter((group) => group.events.length > 0);
}

/** The largest groups get the issues that a split may still make. */
function limitSplits(groups: readonly RegroupedEvents[], known: KnownRegrouping): RegroupedEvents[] {
  const limit = new SplitLimit(known.splitCounts);
  return groups
    .toSorted((a, b) => b.events.length - a.events.length)
    .map((group) => ({ ...group, hashes: limit.keysOf(group, (hash) => known.issueIdByHash.has(hash)) }));
}

class Planner {
  kept: IssueChange | null = null;
  movedCount = 0;
  readonly #known: KnownRegrouping;
  readonly #at: number;
  readonly #moves: IssueMove[] = [];
  readonly #environments: string[] = [];
  readonly #groups: RegroupedGroup[] = [];
  readonly #changeByIssueId = new Map<number, IssueChange>();
  /** Keys that groups of this plan bring: stored keys go first. */
  readonly #issueByHash = new Map<string, FoundIssue>();
  readonly #issueByAlias = new Map<string, FoundIssue>();

  constructor(known: KnownRegrouping, at: number) {
    this.#known = known;
    this.#at = at;
  }

  isStaying(group: RegroupedEvents): boolean {
    return this.#isFrom(this.#find(group)?.issue ?? null);
  }

  add(group: RegroupedEvents, mayName: boolean): RegroupedGroup["outcome"] {
    // Nobody knows here when they were received; that it is now never decides before the time of the event.
    const { projectId } = this.#known.from;
    const occurrences = toOccurrences(group, { projectId, receivedAt: this.#at });
    const found = this.#find(group);
    const isNamed = found === null && mayName;
    const isStaying = isNamed || this.#isFrom(found?.issue ?? null);
    const { change, ...result } = isStaying ? this.#keep(occurrences, isNamed) : this.#move(occurrences, found?.issue);
    this.#addKeys(change, { group, occurrences, isFoundByAlias: found?.isFoundByAlias ?? false, isStaying });
    this.#groups.push({ ...result, eventIds: occurrences.map(({ eventId }) => eventId) });
    return result.outcome;
  }

  result(): Omit<RegroupingPlan, "mergedInto"> {
    return { kept: this.kept, moves: this.#moves, environments: this.#environments, groups: this.#groups };
  }

  /** The issue to which most of the events went. */
  findMainTarget(): FoundIssue | null {
    const totals = new Map<number | IssueChange, number>();
    const count = (target: number | IssueChange, events: number) =>
      totals.set(target, (totals.get(target) ?? 0) + events);
    for (const { issueId, eventCount } of this.#known.earlierMoves) count(issueId, eventCount);
    for (const { change, eventIds } of this.#moves) count(change.known?.id ?? change, eventIds.length);
    totals.delete(this.#known.from.id);
    const [main] = [...totals].sort(([, a], [, b]) => b - a);
    if (main === undefined) return null;
    return typeof main[0] === "number" ? { issueId: main[0] } : { change: main[0] };
  }

  /** The issue with the first known hash, otherwise the issue with one of the alias fingerprints. */
  #find({ hashes, earlier, kin }: RegroupedEvents): { issue: FoundIssue; isFoundByAlias: boolean } | null {
    const { issueIdByHash, issueIdByAlias } = this.#known;
    for (const hash of hashes) {
      const issue = toFound(issueIdByHash.get(hash)) ?? this.#issueByHash.get(hash);
      if (issue) return { issue, isFoundByAlias: false };
    }
    for (const hash of earlier?.isVague === false ? earlier.hashes : []) {
      const issue = toFound(issueIdByHash.get(hash));
      if (issue) return { issue, isFoundByAlias: false };
    }
    for (const key of kin?.seek ?? []) {
      const issue = toFound(issueIdByAlias.get(key)) ?? this.#issueByAlias.get(key);
      if (issue) return { issue, isFoundByAlias: true };
    }
    return null;
  }

  #isFrom(issue: FoundIssue | null): boolean {
    if (issue === null) return false;
    return "issueId" in issue ? issue.issueId === this.#known.from.id : issue.change === this.kept;
  }

  /** The events stay; the issue gets their texts when it is named after them, or they are its latest. */
  #keep(occurrences: IssueOccurrence[], isNamed: boolean): Omit<RegroupedGroup, "eventIds"> & { change: IssueChange } {
    const { from } = this.#known;
    this.kept ??= this.#createChange(from, occurrences);
    const latest = occurrences.at(-1) ?? null;
    if (isNamed || (latest !== null && latest.occurredAt >= from.lastSeenAt)) this.kept.headline = latest;
    const issue = { issueId: from.id };
    return { issue, outcome: isNamed ? "named" : "kept", transition: null, change: this.kept };
  }

  #move(
    occurrences: IssueOccurrence[],
    found: FoundIssue | undefined,
  ): Omit<RegroupedGroup, "eventIds"> & { change: IssueChange } {
    const { from, releases } = this.#known;
    const isNew = found === undefined;
    const change = this.#changeOf(found, occurrences);
    const hadRegressed = change.regression !== null;
    // Events of an issue that was put away say nothing about the other one.
    change.mayComeBack = from.status === "unresolved";
    addOccurrences(change, occurrences, { releases, environments: this.#environments });
    // A status that people gave the whole issue also applies to its parts.
    if (isNew) change.inheritStatus(from);
    this.#noteMove(change, occurrences);
    return {
      issue: change.known === null ? { change } : { issueId: change.known.id },
      outcome: isNew ? "split_off" : "joined",
      transition: isNew ? "new" : change.regression !== null && !hadRegressed ? "regressed" : null,
      change,
    };
  }

  #noteMove(change: IssueChange, occurrences: IssueOccurrence[]): void {
    const [earliestAt = 0] = occurrences.map(({ occurredAt }) => Math.floor(occurredAt));
    const latestAt = Math.floor(occurrences.at(-1)?.occurredAt ?? 0);
    const eventIds = occurrences.map(({ eventId }) => eventId);
    this.movedCount += eventIds.length;
    const known = this.#moves.find((move) => move.change === change);
    if (known === undefined) {
      this.#moves.push({ change, eventIds, earliestAt, latestAt });
      return;
    }
    known.eventIds.push(...eventIds);
    known.earliestAt = Math.min(known.earliestAt, earliestAt);
    known.latestAt = Math.max(known.latestAt, latestAt);
  }

  #changeOf(found: FoundIssue | undefined, occurrences: IssueOccurrence[]): IssueChange {
    if (found === undefined) return this.#createChange(null, occurrences);
    if ("change" in found) return found.change;
    const change = this.#changeByIssueId.get(found.issueId);
    if (change) return change;
    const issue = this.#known.issues.get(found.issueId);
    if (issue === undefined)
      throw new Error(`a key of the grouping names issue ${found.issueId}, which does not exist`);
    const opened = this.#createChange(issue, occurrences);
    this.#changeByIssueId.set(found.issueId, opened);
    return opened;
  }

  #createChange(known: KnownIssue | null, [first]: IssueOccurrence[]): IssueChange {
    if (first === undefined) throw new TypeError("a group without events was to be moved");
    return new IssueChange(known, first, { isOldNews: toIsOldNews(this.#known) });
  }

  /** Every hash that nobody has belongs to the group's issue from now on. */
  #addKeys(
    change: IssueChange,
    {
      group: { hashes, kin },
      occurrences: [first],
      isFoundByAlias,
      isStaying,
    }: { group: RegroupedEvents; occurrences: IssueOccurrence[]; isFoundByAlias: boolean; isStaying: boolean },
  ): void {
    if (first === undefined) return;
    const issue: FoundIssue = change.known === null ? { change } : { issueId: change.known.id };
    const unknown = [...new Set(hashes)].filter(
      (hash) => !this.#known.issueIdByHash.has(hash) && !this.#issueByHash.has(hash),
    );
    for (const hash of unknown) {
      change.newHashes.push({
        hash,
        occurrence: first,
        isFoundByAlias: isFoundByAlias && !isStaying,
        isRegrouped: true,
      });
      this.#issueByHash.set(hash, issue);
    }
    if (!kin || unknown[0] !== hashes[0]) return;
    change.newAliases.push(...kin.leave);
    for (const key of kin.leave) if (!this.#issueByAlias.has(key)) this.#issueByAlias.set(key, issue);
  }
}

function toFound(issueId: number | undefined): FoundIssue | undefined {
  return issueId === undefined ? undefined : { issueId };
}
