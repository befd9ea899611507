import { type AlertOutcomeKind, MAX_OUTCOMES, OUTCOMES } from "../../domain/alerts/outcome.ts";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { OutcomeItem } from "./describe-outcomes.server.ts";
import { OUTCOME_WORDS, OutcomeList } from "./outcome-list.tsx";

/** Everything that the rule looked at, and the results. */
export function HistoryPanel({
  ruleId,
  items,
  shown,
}: {
  ruleId: number;
  items: readonly OutcomeItem[];
  shown: AlertOutcomeKind | null;
}) {
  const links = [null, ...OUTCOMES].map((outcome) => ({
    to: outcome === null ? `/alerts/${ruleId}` : `/alerts/${ruleId}?saw=${outcome}`,
    label: outcome === null ? "All" : OUTCOME_WORDS[outcome],
    isCurrent: outcome === shown,
  }));
  return (
    <Panel
      title="What it saw"
      description={
        <>
          Issues that did what the rule waits for, and what came of it. {MAX_OUTCOMES.toLocaleString("en")} entries are
          kept. <TextLink to={`/alerts/why?rule=${ruleId}`}>Why was an issue told, or not?</TextLink>
        </>
      }
      isFlush
    >
      <div className="px-4 pt-3 pb-2">
        <ChoiceLinks label="What came of it" links={links} />
      </div>
      {items.length === 0 ? (
        <EmptyState title={shown === null ? "It has seen nothing yet" : "Nothing of this kind"}>
          Everything from now on stands here, even if the rule tells nobody.
        </EmptyState>
      ) : (
        <OutcomeList items={items} label="What the rule saw" />
      )}
    </Panel>
  );
}
