import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AlertSentence } from "./alert-sentence.tsx";
import type { AlertItem } from "./list-alerts.server.ts";

/** A rule of the list: its name, its sentence, and how often it fired. */
export function AlertRow({ rule }: { rule: AlertItem }) {
  const { id, name, sentence, isEnabled, mayChange, lastFiredAt, recentFirings } = rule;
  return (
    <li className="alert-row">
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <TextLink to={`/alerts/${id}`} className="wrap-anywhere font-semibold">
            {name}
          </TextLink>
          {!isEnabled && <Badge>disabled</Badge>}
        </p>
        <p className="text-sm">
          <AlertSentence parts={sentence} />
        </p>
        <p className="text-muted text-xs">
          {lastFiredAt === null ? (
            "Has not fired yet"
          ) : (
            <>
              Fired {recentFirings.toLocaleString("en")} {recentFirings === 1 ? "time" : "times"} in 7 days, last{" "}
              <RelativeTime at={lastFiredAt} />
            </>
          )}
        </p>
      </div>
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <ButtonForm
            size="sm"
            name="intent"
            value={isEnabled ? "disable" : "enable"}
            fields={{ rule: id }}
            aria-label={`${isEnabled ? "Disable" : "Enable"} ${name}`}
          >
            {isEnabled ? "Disable" : "Enable"}
          </ButtonForm>
          <ButtonForm size="sm" name="intent" value="delete" fields={{ rule: id }} aria-label={`Delete ${name}`}>
            Delete
          </ButtonForm>
        </div>
      )}
    </li>
  );
}

/** A button that makes a deleted rule again. */
export function RestoreAlert({ fields }: { fields: ReadonlyArray<readonly [name: string, value: string]> }) {
  return (
    <form method="post">
      {fields.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" name="intent" value="restore" size="sm" data-shortcut="u">
        Undo
      </Button>
    </form>
  );
}
