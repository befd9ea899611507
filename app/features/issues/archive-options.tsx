import { Archive, ChevronDown, Clock, TrendingUp } from "lucide-react";
import type { ComponentType } from "react";
import type { FormProps } from "react-router";
import { buttonClassNames } from "../../ui/button.tsx";
import { Popover } from "../../ui/popover.tsx";
import { ARCHIVE_CHOICES, ESCALATION_CHOICE } from "./archive-choices.ts";
import { ArchiveCountFields, ArchiveUntilFields } from "./archive-fields.tsx";

/**
 * The menu beside “Archive”: for how long, or until how many events or users. For an archived issue, the same forms set another
 * rule. The fields are those of `readArchiveForm`.
 */
export function ArchiveOptions({
  action,
  archived = null,
  form: Form,
}: {
  /** The address that the forms are posted to. */
  action: string;
  /** For an archived issue: whether a rule brings it back. Null: the issue is not archived. */
  archived?: { hasRule: boolean } | null;
  /** The form of the fetcher whose answer the page shows. */
  form: ComponentType<FormProps>;
}) {
  const label = archived ? "Change when it comes back" : "Archive for a while";
  return (
    <>
      {/* What the keyboard shortcut presses while the panel is closed. */}
      <Form hidden method="post" action={action}>
        <input type="hidden" name="status" value="archived" />
        <button type="submit" name="by" value="escalates" data-shortcut="i">
          Archive until it escalates
        </button>
      </Form>
      <Popover
        label={label}
        shortcut="Shift+m"
        triggerClassName={archived ? buttonClassNames("secondary") : `${buttonClassNames("secondary")} px-2!`}
        trigger={
          archived ? (
            <>
              <Clock aria-hidden="true" className="max-sm:hidden" />
              {label}
            </>
          ) : (
            <>
              <ChevronDown aria-hidden="true" />
              <span className="sr-only">{label}</span>
            </>
          )
        }
      >
        <div className="grid w-72 max-w-full gap-3 text-sm">
          <Form method="post" action={action} className="grid gap-1">
            <input type="hidden" name="status" value="archived" />
            <button type="submit" name="by" value="escalates" className="menu-item">
              <TrendingUp aria-hidden="true" />
              <EscalationWords />
            </button>
            {archived?.hasRule && (
              <button type="submit" className="menu-item">
                <Archive aria-hidden="true" />
                For ever
              </button>
            )}
            {ARCHIVE_CHOICES.map(({ name, label: words }) => (
              <button key={name} type="submit" name="for" value={name} className="menu-item">
                <Clock aria-hidden="true" />
                {words}
              </button>
            ))}
          </Form>
          <Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
            <input type="hidden" name="status" value="archived" />
            <input type="hidden" name="by" value="time" />
            <ArchiveUntilFields button={{}} />
          </Form>
          <Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
            <input type="hidden" name="status" value="archived" />
            <ArchiveCountFields button={{}} />
          </Form>
        </div>
      </Popover>
    </>
  );
}

/** The words of the first choice in the menus. */
export function EscalationWords() {
  return (
    <span className="grid min-w-0 text-left">
      {ESCALATION_CHOICE.label}
      <span className="text-muted text-xs">{ESCALATION_CHOICE.hint}</span>
    </span>
  );
}
