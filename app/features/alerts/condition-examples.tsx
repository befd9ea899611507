import { CONDITION_EXAMPLES } from "../../domain/alerts/condition-examples.ts";
import { Panel } from "../../ui/card.tsx";

/** What one can write in the field of the conditions. */
export function ConditionExamples() {
  return (
    <Panel
      title="Examples of conditions"
      description="Write one a line under “Conditions”. Any search of the issue list works."
    >
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
        {CONDITION_EXAMPLES.map(([search, what]) => (
          <div key={search} className="contents">
            <dt className="font-mono">{search}</dt>
            <dd className="text-muted max-sm:pb-1">{what}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
