import { DOWN_AT, type DownAt } from "../../domain/uptime/down-at.ts";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { NamedLocation } from "./read-uptime-form.ts";

const WORDS: Record<DownAt, string> = {
  most: "More than half of its places find it down",
  all: "All of its places find it down",
  1: "Any of its places finds it down",
  2: "At least two of its places find it down",
  3: "At least three of its places find it down",
};

/** The choice of places that check, and of how many of them decide. */
export function UptimePlaceFields({
  places,
  downAt,
  locations,
  errors,
}: {
  /** The text of `toPlacesText`. */
  places: string;
  downAt: string;
  locations: readonly NamedLocation[];
  errors: { places: string | null; downAt: string | null };
}) {
  const chosen = places.split(",");
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <fieldset>
        <legend className="mb-1 font-semibold text-sm">From where</legend>
        {/* With this field, a form without a chosen place differs from a form that has no places. */}
        <input type="hidden" name="places" value="" />
        <div className="grid gap-1">
          <CheckboxField label="This server" name="places" value="here" defaultChecked={chosen.includes("here")} />
          {locations.map(({ id, name }) => (
            <CheckboxField
              key={id}
              label={name}
              name="places"
              value={String(id)}
              defaultChecked={chosen.includes(String(id))}
            />
          ))}
        </div>
        {errors.places && (
          <p role="alert" className="mt-1 text-error text-xs">
            {errors.places}
          </p>
        )}
      </fieldset>
      <SelectField
        label="It is down when"
        name="downAt"
        defaultValue={downAt}
        error={errors.downAt}
        hint="Each place asks a second time before it finds it down. Locations that are not heard of are left out."
      >
        {toOptions(DOWN_AT, (each) => [each, WORDS[each]])}
      </SelectField>
    </div>
  );
}
