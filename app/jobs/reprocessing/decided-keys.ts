import type { StoredEvent } from "../../domain/stored-event.ts";
import type { GroupingRuleIndex } from "../../stores/state/grouping-rule-store.ts";
import type { RegroupableEvent } from "./regroupable-event.ts";

/** How the events of an issue are grouped again after a decision of people. */
export type DecidedBy =
  /** By the key with which each event was stored, whatever its frames or the rules are now. For merges that were undone. */
  | "stored-keys"
  /** By the present rules. */
  | "rules";

/** Decides with which keys events of one issue are grouped again. An event that the decision does not concern stays in its issue. */
export class DecidedKeys {
  readonly #index: Pick<GroupingRuleIndex, "findIssues">;
  readonly #issue: { id: number; projectId: number };
  readonly #ownHashes: readonly string[];
  /** Hashes that came to the issue by merges without a rule. */
  readonly #keptHashes: readonly string[];
  readonly #by: DecidedBy;
  readonly #leads = new Map<string, boolean>();

  constructor(
    index: Pick<GroupingRuleIndex, "findIssues">,
    issue: { id: number; projectId: number },
    { ownHashes, keptHashes, by }: { ownHashes: readonly string[]; keptHashes: readonly string[]; by: DecidedBy },
  ) {
    this.#index = index;
    this.#issue = issue;
    this.#ownHashes = ownHashes;
    this.#keptHashes = keptHashes;
    this.#by = by;
  }

  /** Returns the event with the keys by which it is grouped. */
  async decide(stored: StoredEvent, mapped: RegroupableEvent): Promise<RegroupableEvent> {
    const { explanation, hashes } = mapped.grouping;
    // A split also holds for events that were stored before it: the keys with which they were stored do not say where they are now.
    const byRules = this.#by === "rules" || explanation.ruling?.split !== undefined;
    const kept = stored.grouping ?? explanation;
    const own = this.#ownHashes[0] ?? kept.hash;
    if (!byRules) {
      const hash = (await this.#leadsAway([kept.hash])) ? kept.hash : own;
      return withKeys(mapped, [hash], kept);
    }
    // If a key is new without any rule, only Culprit's own grouping has changed since. That moves no event.
    const isRuled = explanation.ruling !== undefined || stored.grouping?.ruling !== undefined;
    return withKeys(mapped, isRuled || (await this.#leadsAway(hashes)) ? hashes : [own], explanation);
  }

  async #leadsAway(hashes: readonly string[]): Promise<boolean> {
    for (const hash of hashes) {
      if (this.#keptHashes.includes(hash)) return false;
      let leads = this.#leads.get(hash);
      if (leads === undefined) {
        const found = await this.#index.findIssues(this.#issue.projectId, [hash]);
        leads = (found.get(hash) ?? this.#issue.id) !== this.#issue.id;
        this.#leads.set(hash, leads);
      }
      if (leads) return true;
      if (this.#ownHashes.includes(hash)) return false;
    }
    return false;
  }
}

function withKeys(
  mapped: RegroupableEvent,
  hashes: string[],
  explanation: RegroupableEvent["grouping"]["explanation"],
): RegroupableEvent {
  return { ...mapped, grouping: { ...mapped.grouping, hashes, earlier: null, kin: null, explanation } };
}
