import type { DataCategory } from "../../domain/data-category.ts";
import { describeLoss, type LedgerSums } from "../timeline/missing-lanes.ts";

/** One thing that the ledger knows about spans that are missing. */
export interface MissingReason {
  words: string;
  /** The address of the ledger's entry. Null: there is none. */
  href: string | null;
}

/** Further reasons are only counted. */
const MAX_REASONS = 4;
const THINGS = ["transaction", "span"] as const;

/**
 * Why parents in a trace may be missing: what was sampled out or dropped in the hours of the trace, with reasons of its own
 * projects first. The ledger counts all traces of that time: once an item is dropped, its trace is not known.
 * @param projects the projects that the ledger is about
 * @param seesEverything whether these are all projects
 */
export function explainMissingSpans({
  ledger,
  projects,
  ownProjectIds,
  seesEverything,
}: {
  ledger: LedgerSums;
  projects: ReadonlyArray<{ id: number; slug: string }>;
  ownProjectIds: ReadonlySet<number>;
  seesEverything: boolean;
}): MissingReason[] {
  const own = projects.filter(({ id }) => ownProjectIds.has(id));
  const others = projects.filter(({ id }) => !ownProjectIds.has(id));
  const reasons = [...own, ...others].flatMap(({ id, slug }) =>
    THINGS.flatMap((thing): MissingReason[] => {
      const why = { thing, categories: [thing], ledger, projectId: id, projectSlug: slug };
      const loss = describeLoss(why);
      const sampled = describeSampling(why);
      const said = [...(sampled === null ? [] : [sampled]), ...(loss ? [loss] : [])];
      const who = ownProjectIds.has(id) ? slug : `${slug}, which has nothing here`;
      return said.map(({ words, href }) => ({ words: `${who}: ${words}`, href: href ?? null }));
    }),
  );
  if (reasons.length === 0)
    return [
      {
        words: seesEverything
          ? "Nothing was dropped in these hours. The sender of a parent does not report here, has not sent it yet, or its project was deleted."
          : "Your projects dropped nothing in these hours. The sender of a parent reports to another project, does not report here, or has not sent it yet.",
        href: null,
      },
    ];
  const leftOut = reasons.length - MAX_REASONS;
  return leftOut > 0
    ? [...reasons.slice(0, MAX_REASONS), { words: `${leftOut} more in the ledger.`, href: "/arrived" }]
    : reasons;
}

function describeSampling({
  thing,
  categories,
  ledger,
  projectId,
  projectSlug,
}: {
  thing: string;
  categories: readonly DataCategory[];
  ledger: LedgerSums;
  projectId: number;
  projectSlug: string;
}): { words: string; href: string } | null {
  const [category = "span"] = categories;
  const sums = ledger.filter((sum) => sum.projectId === projectId && sum.category === category);
  const sumOf = (quantities: ReadonlyArray<{ quantity: number }>) =>
    quantities.reduce((sum, { quantity }) => sum + quantity, 0);
  const sampled = sumOf(sums.filter(({ reason }) => reason === "sample_rate"));
  if (sampled === 0) return null;
  const all = sampled + sumOf(sums.filter(({ outcome }) => outcome === "accepted"));
  return {
    words: `the SDK sampled out ${sampled.toLocaleString("en")} of ${all.toLocaleString("en")} ${thing}${all === 1 ? "" : "s"} of this hour.`,
    href: `/arrived?${new URLSearchParams({ project: projectSlug, category })}`,
  };
}
