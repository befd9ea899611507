import type { EnvelopeEntry } from "../journal/journal-entry.ts";
import type { Journals } from "../journal/journals.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import { findSignal } from "../signals/registry.ts";

/**
 * Into which journal the items go. One that somebody waits for takes its whole envelope with it, because items of an envelope belong together.
 * So do counts of what the sender may report as lost: they must be in the ledger before its report.
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
