import { ARCHIVE_WINDOWS } from "../../domain/issues/say-archive.ts";
import { Button } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { InstantInput } from "../../ui/instant-input.tsx";
import { toOptions } from "../../ui/options.tsx";

/**
 * Fields for a day and a time in the reader's time zone, or in UTC without script. `form`: the id of a form that is not around the
 * fields.
 */
export function ArchiveUntilFields({ form, button }: { form?: string; button: { name?: string; value?: string } }) {
  return (
    <>
      <span aria-hidden="true" className="text-muted text-xs">
        Until a day and a time
      </span>
      <InstantInput
        name="until"
        form={form}
        controlSize="sm"
        aria-label="Until this day and time"
        // In a form with other buttons, an empty field must not block those.
        required={form === undefined}
      />
      <div>
        <Button type="submit" size="sm" form={form} {...button}>
          Archive until then
        </Button>
      </div>
    </>
  );
}

/** Fields for a number of events or users. `form`: as above. */
export function ArchiveCountFields({ form, button }: { form?: string; button: { name?: string; value?: string } }) {
  return (
    <>
      <span aria-hidden="true" className="text-muted text-xs">
        Until it happens so often, or to so many
      </span>
      <div className="grid grid-cols-[5rem_1fr] gap-2">
        <Input
          type="number"
          name="count"
          form={form}
          controlSize="sm"
          aria-label="How many"
          required={form === undefined}
          min={1}
          max={1_000_000}
          defaultValue={100}
        />
        <Select name="by" form={form} controlSize="sm" aria-label="Of what">
          <option value="events">more events</option>
          <option value="users">more users</option>
        </Select>
      </div>
      <Select name="window" form={form} controlSize="sm" aria-label="Within which time">
        <option value="">however long it takes</option>
        {toOptions(ARCHIVE_WINDOWS, ({ minutes, label }) => [minutes, label])}
      </Select>
      <div>
        <Button type="submit" size="sm" form={form} {...button}>
          Archive until so many
        </Button>
      </div>
    </>
  );
}
