import { ChevronDown, Clock } from "lucide-react";
import { type ComponentType, useState } from "react";
import type { FormProps } from "react-router";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { ARCHIVE_CHOICES, ARCHIVE_WINDOWS } from "./archive-words.ts";

/** Beside “Archive”: for how long, or until how many events or users. The fields are those of `readArchiveForm`. */
export function ArchiveOptions({
  action,
  form: Form,
}: {
  /** Where the forms are posted to. */
  action: string;
  /** The form of the fetcher that says what became of it. */
  form: ComponentType<FormProps>;
}) {
  return (
    <Popover
      label="Archive for a time or a count"
      shortcut="Shift+m"
      triggerClassName={`${buttonClassNames("secondary")} px-2!`}
      trigger={
        <>
          <ChevronDown aria-hidden="true" />
          <span className="sr-only">Archive for a time or a count</span>
        </>
      }
    >
      <div className="grid w-72 max-w-full gap-3 text-sm">
        <Form method="post" action={action} className="grid gap-1">
          <input type="hidden" name="status" value="archived" />
          {ARCHIVE_CHOICES.map(({ name, label }) => (
            <button key={name} type="submit" name="for" value={name} className="menu-item">
              <Clock aria-hidden="true" />
              {label}
            </button>
          ))}
        </Form>
        <UntilForm action={action} form={Form} />
        <CountForm action={action} form={Form} />
      </div>
    </Popover>
  );
}

/** Until a day and a time of the reader's zone; without script of UTC. */
function UntilForm({ action, form: Form }: { action: string; form: ComponentType<FormProps> }) {
  const [local, setLocal] = useState("");
  const instant = new Date(local);
  return (
    <Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
      <input type="hidden" name="status" value="archived" />
      <input type="hidden" name="by" value="time" />
      <input type="hidden" name="until" value={Number.isNaN(instant.getTime()) ? "" : instant.toISOString()} />
      <span aria-hidden="true" className="text-muted text-xs">
        Until a day and a time
      </span>
      <Input
        type="datetime-local"
        name="untilLocal"
        controlSize="sm"
        aria-label="Until this day and time"
        required
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" size="sm">
          Archive until then
        </Button>
      </div>
    </Form>
  );
}

function CountForm({ action, form: Form }: { action: string; form: ComponentType<FormProps> }) {
  return (
    <Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
      <input type="hidden" name="status" value="archived" />
      <span aria-hidden="true" className="text-muted text-xs">
        Until it happens so often, or to so many
      </span>
      <div className="grid grid-cols-[5rem_1fr] gap-2">
        <Input
          type="number"
          name="count"
          controlSize="sm"
          aria-label="How many"
          required
          min={1}
          max={1_000_000}
          defaultValue={100}
        />
        <Select name="by" controlSize="sm" aria-label="Of what">
          <option value="events">more events</option>
          <option value="users">more users</option>
        </Select>
      </div>
      <Select name="window" controlSize="sm" aria-label="Within which time">
        <option value="">however long it takes</option>
        {ARCHIVE_WINDOWS.map(({ minutes, label }) => (
          <option key={minutes} value={minutes}>
            {label}
          </option>
        ))}
      </Select>
      <div>
        <Button type="submit" size="sm">
          Archive until so many
        </Button>
      </div>
    </Form>
  );
}
