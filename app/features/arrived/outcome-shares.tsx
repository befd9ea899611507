import { OUTCOMES, type Outcome } from "../../domain/outcome.ts";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OUTCOME_WORDS } from "./outcome-words.ts";
import { toPercent } from "./to-percent.ts";

/** The parts of a sum: a bar, and a line for each. Empty outcomes are left out. */
export function OutcomeShares({ total, byOutcome }: { total: number; byOutcome: Record<Outcome, number> }) {
  const shown = OUTCOMES.filter((outcome) => byOutcome[outcome] > 0);
  return (
    <div className="grid gap-3">
      <OutcomeBar byOutcome={byOutcome} shown={shown} />
      <ul className="grid gap-1.5 text-sm">
        {shown.map((outcome) => (
          <li key={outcome} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-sm ${OUTCOME_LOOK[outcome].ground}`} />
            <span className="mr-auto">{OUTCOME_WORDS[outcome].label}</span>
            <span className="tabular">{byOutcome[outcome].toLocaleString("en")}</span>
            <span className="tabular w-14 text-right text-muted text-xs">{toPercent(byOutcome[outcome], total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A bar with the shares of the outcomes. Screen readers read the lines below it instead. */
export function OutcomeBar({ byOutcome, shown }: { byOutcome: Record<Outcome, number>; shown: readonly Outcome[] }) {
  return (
    <div className="flex h-2.5 gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
      {shown.map((outcome) => (
        <span
          key={outcome}
          className={OUTCOME_LOOK[outcome].ground}
          style={{ flexGrow: byOutcome[outcome], minWidth: byOutcome[outcome] > 0 ? 2 : 0 }}
        />
      ))}
    </div>
  );
}
