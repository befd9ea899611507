import {
  FIRST_EVENTS_KEPT,
  MAX_SPARED_AN_HOUR,
  SPIKE_FACTOR,
  SPIKE_MIN_BOUND,
  SPIKE_MIN_PAST_HOURS,
} from "../../domain/volume/spike-bound.ts";
import type { VolumeSettings } from "../../domain/volume/volume-settings.ts";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { FilterUse } from "../filters/filter-use.tsx";
import type { FiltersPage } from "../filters/get-filters-page.server.ts";

/** The number of events of an issue after which only a sample is stored, if nobody has chosen another number. */
const OFFERED_ABOVE = 1_000;

/** The settings for errors that are counted and not stored. */
export function VolumePanel({
  slug,
  settings: { isSpikeProtected, sampleAbove, keepOneIn },
  uses,
  typed,
  error,
}: {
  slug: string;
  settings: VolumeSettings;
  uses: FiltersPage["uses"];
  typed: Record<string, string> | null;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  return (
    <Panel
      title="Counted, not stored"
      description="Such errors are accepted, and their issue counts them with their users. Their details are not kept, apart from an example a day. Both are off at first."
    >
      <IntentForm intent="volume" submit="Save">
        <div className="grid gap-1">
          <CheckboxField
            label="Spike protection"
            hint={`When far more errors come in an hour than the project usually has: ${SPIKE_FACTOR} times its busy hours of the last week, and at least ${SPIKE_MIN_BOUND.toLocaleString("en")}. The first ${FIRST_EVENTS_KEPT} events of each new issue are stored all the same, up to ${MAX_SPARED_AN_HOUR.toLocaleString("en")} in an hour. It begins once the project has sent errors for ${SPIKE_MIN_PAST_HOURS} hours.`}
            name="spike"
            defaultChecked={typed ? typed.spike === "on" : isSpikeProtected}
          />
          <div className="pl-6.5">
            <FilterUse slug={slug} reason="spike-protection" use={uses["spike-protection"]} isOn={isSpikeProtected} />
          </div>
        </div>
        <div className="grid gap-3">
          <CheckboxField
            label="A sample of loud issues"
            hint="Each issue stores so many events an hour, and then one of so many."
            name="sample"
            defaultChecked={typed ? typed.sample === "on" : sampleAbove !== null}
          />
          <div className="grid gap-4 pl-6.5 sm:grid-cols-2">
            <TextField
              label="Above so many an hour"
              {...field("above", typed?.above ?? sampleAbove ?? OFFERED_ABOVE)}
              inputMode="numeric"
              autoComplete="off"
            />
            <TextField
              label="Keep one of"
              {...field("keepOneIn", typed?.keepOneIn ?? keepOneIn)}
              inputMode="numeric"
              autoComplete="off"
            />
          </div>
          <div className="pl-6.5">
            <FilterUse slug={slug} reason="issue-sample" use={uses["issue-sample"]} isOn={sampleAbove !== null} />
          </div>
        </div>
      </IntentForm>
    </Panel>
  );
}
