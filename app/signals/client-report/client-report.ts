import { KIB } from "../../domain/bytes.ts";
import { parseClientReport } from "../../protocol/client-report.ts";
import { refusedCategoriesOf, toLostCategory } from "../../protocol/reported-loss.ts";
import type { SequencedOutcome } from "../digested.ts";
import { type Json, toSummary } from "../item-summary.ts";
import { type ArrivedItem, defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";

/** A report of items that the SDK dropped. It has no identity, because an SDK may rightly report the same counts twice. */
export const CLIENT_REPORT = defineSignal({
  itemTypes: ["client_report"],
  category: "internal",
  group: "client_report",
  limits: { maxItemBytes: 100 * KIB, maxTotalBytes: 100 * KIB, maxCount: 100 },
  read: storeJson({
    summarize: () => toSummary({}),
    effects: (value, item) => ({ outcomes: readDiscarded(value, item) }),
  }),
});

/** The reported losses, for the ledger, without those that were already counted when they were refused. */
function readDiscarded(value: Json, { sequence, entry }: ArrivedItem): SequencedOutcome[] {
  const { projectId, receivedAt, client } = entry;
  return parseClientReport(value).map((reported) => {
    const discarded = { ...reported, category: toLostCategory(reported.category, client) };
    // The lists that proxies add are about the decision of the proxy, and not about an answer to it.
    const refusedAs = discarded.outcome === "client_discard" ? refusedCategoriesOf(discarded) : null;
    return {
      sequence,
      projectId,
      receivedAt,
      ...discarded,
      isFromClientReport: true,
      ...(refusedAs ? { refusedAs } : {}),
    };
  });
}
