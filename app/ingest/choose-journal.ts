import type { EnvelopeEntry } from "../journal/journal-entry.ts";
import type { Journals } from "../journal/journals.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import { findSignal } from "../signals/registry.ts";

/**
 * Chooses the journal for the items. Items of an envelope belong together, so if somebody waits for one of them, all go into the express
 * journal. Counts of losses that the sender may report go there, too: they must be in the ledger before the sender's report.
 */
export function chooseJournal(
  items: readonly EnvelopeItem[],
  { canBeReported }: Pick<EnvelopeEntry, "canBeReported">,
): keyof Journals {
  return canBeReported || items.some(isAwaited) ? "express" : "bulk";
}

function isAwaited({ header, payload }: EnvelopeItem): boolean {
  const { isBulk } = findSignal(header);
  return typeof isBulk === "function" ? !isBulk(payload) : !isBulk;
}
