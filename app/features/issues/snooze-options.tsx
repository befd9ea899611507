import { AlarmClock, ChevronDown } from "lucide-react";
import { useFetcher } from "react-router";
import { SNOOZE_CHOICES } from "../../domain/issues/snooze.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { InstantInput } from "../../ui/instant-input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Popover } from "../../ui/popover.tsx";

/** The menu “Snooze” of an issue, which affects only its reader. */
export function SnoozeOptions({ issueId }: { issueId: number }) {
  const fetcher = useFetcher<unknown>();
  const action = `/issues/${issueId}/mine`;
  return (
    <>
      <Popover
        label="Snooze for me alone"
        shortcut="z"
        triggerClassName={buttonClassNames("secondary", "sm")}
        trigger={
          <>
            <AlarmClock aria-hidden="true" />
            Snooze
            <ChevronDown aria-hidden="true" />
          </>
        }
      >
        <div className="grid w-64 max-w-full gap-3 text-sm">
          <fetcher.Form method="post" action={action} className="grid gap-1">
            <input type="hidden" name="intent" value="snooze" />
            <SnoozeChoices button={(name) => ({ name: "for", value: name })} />
          </fetcher.Form>
          <fetcher.Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
            <input type="hidden" name="intent" value="snooze" />
            <SnoozeUntilFields button={{}} />
          </fetcher.Form>
          <SnoozeWords />
        </div>
      </Popover>
      {typeof fetcher.data === "string" && (
        <p role="alert" className="basis-full text-error text-xs">
          {fetcher.data}
        </p>
      )}
    </>
  );
}

export function SnoozeWords() {
  return (
    <p className="border-line border-t pt-2 text-muted text-xs">
      It leaves your lists, and you get no mail about it. Nobody else sees anything of that.
    </p>
  );
}

interface SubmitFields {
  name: string;
  value: string;
  /** The address that the form is posted to, if not its own action. */
  formAction?: string;
}

export function SnoozeChoices({
  form,
  button,
}: {
  /** The id of the buttons' form, if it is not around them. */
  form?: string;
  button: (name: string) => SubmitFields;
}) {
  return SNOOZE_CHOICES.map(({ name, label }) => (
    <button key={name} type="submit" form={form} {...button(name)} className="menu-item">
      <AlarmClock aria-hidden="true" />
      {label}
    </button>
  ));
}

/** Fields for a day and a time in the reader's time zone, or in UTC without script. `form`: as above. */
export function SnoozeUntilFields({ form, button }: { form?: string; button: Partial<SubmitFields> }) {
  return (
    <>
      <InstantInput
        name="snoozeUntil"
        form={form}
        controlSize="sm"
        aria-label="Snooze until this day and time"
        // In a form with other buttons, an empty field must not block those.
        required={form === undefined}
      />
      <div>
        <Button type="submit" size="sm" form={form} {...button}>
          Snooze until then
        </Button>
      </div>
    </>
  );
}

/** Says that the reader has snoozed the issue, until when, and how to end it. */
export function SnoozedNotice({ issueId, until }: { issueId: number; until: number }) {
  const fetcher = useFetcher();
  return (
    <Notice
      actions={
        <ButtonForm
          form={fetcher.Form}
          action={`/issues/${issueId}/mine`}
          fields={{ intent: "unsnooze" }}
          size="sm"
          data-shortcut="z"
        >
          End the snooze
        </ButtonForm>
      }
    >
      You have snoozed this issue until <AbsoluteTime at={until} />. It is in none of your lists, and you get no mail
      about it. Nobody else sees anything of that.
    </Notice>
  );
}
