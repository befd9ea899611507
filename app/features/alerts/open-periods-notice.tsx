import { BellRing } from "lucide-react";
import { useFetcher } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { AcknowledgeResult } from "./acknowledge-issue.server.ts";
import type { PeriodItem } from "./list-periods.server.ts";

/** Shown for an issue that alert rules wait for: who was notified, who is next and when, and a button that acknowledges. */
export function OpenPeriodsNotice({ issueId, periods }: { issueId: number; periods: readonly PeriodItem[] }) {
  const mayChange = useMay("event:write");
  const fetcher = useFetcher<AcknowledgeResult>();
  if (periods.length === 0) return null;
  const action = `/issues/${issueId}`;
  const waiting = periods.filter(({ acknowledged }) => acknowledged === null);
  const answered = periods.filter(({ acknowledged }) => acknowledged !== null);
  const first = answered[0]?.acknowledged ?? null;
  const isWaiting = waiting.length > 0;
  const failure = fetcher.data && !fetcher.data.ok ? fetcher.data.message : null;
  return (
    <Notice
      tone={isWaiting ? "warning" : "info"}
      title={isWaiting ? "Nobody has acknowledged this issue yet." : undefined}
      actions={
        mayChange &&
        (isWaiting ? (
          <ButtonForm
            form={fetcher.Form}
            action={action}
            name="intent"
            value="acknowledge"
            size="sm"
            variant="primary"
            icon={<BellRing aria-hidden="true" />}
            isPending={fetcher.state !== "idle"}
            data-shortcut="k"
          >
            Acknowledge
          </ButtonForm>
        ) : (
          <ButtonForm
            form={fetcher.Form}
            action={action}
            name="intent"
            value="withdraw"
            fields={{ periods: answered.map(({ id }) => id).join(",") }}
            size="sm"
            isPending={fetcher.state !== "idle"}
            data-shortcut="k"
          >
            Take it back
          </ButtonForm>
        ))
      }
    >
      {!isWaiting && first && (
        <p>
          {first.by?.name ?? "Somebody"} acknowledged this issue <RelativeTime at={first.at} />. Alert rules that waited
          for it tell nobody else until it is resolved or archived.
        </p>
      )}
      {waiting.map((period) => (
        <p key={period.id} className="wrap-anywhere">
          <SayNext period={period} />
        </p>
      ))}
      <details className="pt-1">
        <summary className="cursor-pointer text-muted text-xs">Who was told</summary>
        {periods.map((period) => (
          <ToldList key={period.id} period={period} hasRule={periods.length > 1} />
        ))}
      </details>
      {failure && (
        <p role="alert" className="text-error text-xs">
          {failure}
        </p>
      )}
    </Notice>
  );
}

/** When the next step runs, and whom it notifies. */
export function SayNext({ period: { next, ruleId, ruleName } }: { period: PeriodItem }) {
  const rule = <TextLink to={`/alerts/${ruleId}`}>{ruleName}</TextLink>;
  if (next === null) return <>{rule} has told all its steps.</>;
  return (
    <>
      {rule} tells {next.to} at <AbsoluteTime at={next.at} />, unless somebody acknowledges it before.
    </>
  );
}

/** Who was notified in a period, and when. */
export function ToldList({ period: { told, ruleName }, hasRule = false }: { period: PeriodItem; hasRule?: boolean }) {
  return (
    <ol aria-label={`Told by ${ruleName}`} className="grid gap-0.5 pt-1 text-xs">
      {told.map(({ step, at, to }) => (
        <li key={step ?? "first"} className="wrap-anywhere">
          <AbsoluteTime at={at} />: {step === null ? "first message" : `step ${step + 1}`}
          {hasRule && ` of ${ruleName}`} to{" "}
          {to.length === 0 ? "nobody, as no receiver could be reached" : to.join(", ")}
        </li>
      ))}
    </ol>
  );
}
