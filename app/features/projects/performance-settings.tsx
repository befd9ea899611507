import { DEFAULT_APDEX_MS, MAX_APDEX_MS } from "../../domain/spans/apdex.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";

/** The duration from which people find a transaction of the project slow. */
export function PerformanceSettings({ apdexMs, error }: { apdexMs: number; error: string | null }) {
  return (
    <Panel title="Performance" description="Holds for all transactions of the project, also for those that are stored.">
      <IntentForm intent="apdex" submit="Save the threshold">
        <TextField
          label="Apdex threshold in milliseconds"
          name="apdex"
          inputMode="numeric"
          defaultValue={String(apdexMs)}
          required
          error={error}
          className="max-w-72"
          hint={`Up to it, people are satisfied; up to four times of it, they put up with it. ${DEFAULT_APDEX_MS} is usual, ${MAX_APDEX_MS.toLocaleString("en")} the most.`}
        />
      </IntentForm>
    </Panel>
  );
}
