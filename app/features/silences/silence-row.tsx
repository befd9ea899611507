import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { SilenceItem } from "./list-silences.server.ts";

/** A silence in the list: what it covers, until when, why, and what it held back. */
export function SilenceRow({ silence }: { silence: SilenceItem }) {
  const { id, startsAt, endsAt, reason, madeBy, held, isOver, mayChange } = silence;
  const covered = sayItem(silence);
  return (
    <li className="alert-row">
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <TextLink to={`/alerts/silences/${id}`} className="wrap-anywhere font-semibold">
            {covered}
          </TextLink>
          {!isOver && <Badge>active</Badge>}
        </p>
        <p className="text-sm">
          <AbsoluteTime at={startsAt} /> to <AbsoluteTime at={endsAt} />, by {madeBy}
          {reason !== "" && <span className="wrap-anywhere">: {reason}</span>}
        </p>
        <p className="text-muted text-xs">{sayHeld(held, isOver)}</p>
      </div>
      {mayChange && !isOver && (
        <ButtonForm
          size="sm"
          name="intent"
          value="end"
          action="/alerts/silences"
          fields={{ silence: id }}
          aria-label={`End now: ${covered}`}
        >
          End now
        </ButtonForm>
      )}
    </li>
  );
}

/** What the silence covers, with a capital at the start: `Rule Checkout, project shop, environment staging`. */
export function sayItem({ rule, project, environment }: SilenceItem): string {
  const parts = [
    rule && `rule ${rule.name}`,
    project && `project ${project.slug}`,
    environment && `environment ${environment}`,
  ];
  const said = parts.filter(Boolean).join(", ");
  return said === "" ? "Something that is gone" : `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

function sayHeld(held: number, isOver: boolean): string {
  if (held === 0) return isOver ? "Held nothing back" : "Held nothing back yet";
  return `Held back ${held.toLocaleString("en")} ${held === 1 ? "firing" : "firings"}`;
}
