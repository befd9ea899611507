import { OUTCOMES, type Outcome } from "../../domain/outcome.ts";
import { Card } from "../../ui/card.tsx";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OutcomeBar } from "./outcome-shares.tsx";
import { OUTCOME_WORDS } from "./outcome-words.ts";
import { toPercent } from "./to-percent.ts";

/** The sum and the parts that add up to it. Empty outcomes are left out, except the first. */
export function OutcomeTotals({ total, byOutcome }: { total: number; byOutcome: Record<Outcome, number> }) {
  const shown = OUTCOMES.filter((outcome) => outcome === "accepted" || byOutcome[outcome] > 0);
  return (
    <Card className="grid gap-4 p-4">
      <p className="text-sm">
        <strong className="tabular text-xl">{total.toLocaleString("en")}</strong>{" "}
        <span className="text-muted">{total === 1 ? "item" : "items"}, of which</span>
      </p>
      <OutcomeBar byOutcome={byOutcome} shown={shown} />
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-x-6 gap-y-3">
        {shown.map((outcome) => (
          <div key={outcome} className="grid content-start gap-0.5">
            <dt className="flex items-center gap-2 text-sm">
              <span aria-hidden="true" className={`size-2.5 rounded-sm ${OUTCOME_LOOK[outcome].ground}`} />
              {OUTCOME_WORDS[outcome].label}
            </dt>
            <dd>
              <span className="tabular font-semibold text-lg">{byOutcome[outcome].toLocaleString("en")}</span>{" "}
              <span className="tabular text-muted text-xs">{toPercent(byOutcome[outcome], total)}</span>
              <p className="text-muted text-xs">{OUTCOME_WORDS[outcome].meaning}</p>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
