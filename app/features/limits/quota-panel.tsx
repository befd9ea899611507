import { QUOTA_PERIODS, type Quota } from "../../domain/quotas/quota.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { ListedQuota } from "./list-quota-uses.server.ts";
import { formatQuota, formatQuotaAmount, QUOTA_KIND_OPTIONS, toKindWords, toRefusedSince } from "./quota-words.ts";

/** The quotas of a project or of the server: how much is used and was refused, and a form that sets one. */
export function QuotaPanel({
  quotas,
  of,
  typed,
  error,
}: {
  quotas: readonly ListedQuota[];
  of: "project" | "server";
  typed: Record<string, string> | null;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  return (
    <Panel
      title="Quotas"
      description="Culprit refuses items over a quota before it stores anything. The SDK gets 429, or a note in the answer to the rest of its envelope, and waits. Minutes, days and months are those of the calendar in UTC."
      isFlush
    >
      {quotas.length > 0 && (
        <ul className="divide-y divide-line border-line border-b">
          {quotas.map((listed) => (
            <QuotaRow key={`${listed.quota.kind} ${listed.quota.period}`} listed={listed} />
          ))}
        </ul>
      )}
      <div className="p-4">
        {quotas.length === 0 && (
          <p className="pb-4 text-muted text-sm">
            {of === "project"
              ? "No quota: this project takes everything that its keys and the server allow."
              : "No quota: the server takes everything that its projects and keys allow."}
          </p>
        )}
        <IntentForm intent="set-quota" submit="Save quota" key={quotas.map(({ quota }) => formatQuota(quota)).join()}>
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
            <SelectField label="Of" {...field("kind", typed?.kind ?? "errors")}>
              {toOptions(QUOTA_KIND_OPTIONS, ({ kind, label }) => [kind, label])}
            </SelectField>
            <TextField
              label="At most"
              {...field("limit", typed?.limit ?? "")}
              inputMode="numeric"
              required
              placeholder="10,000"
              autoComplete="off"
            />
            <SelectField label="In each" {...field("period", typed?.period ?? "day")}>
              {toOptions(QUOTA_PERIODS)}
            </SelectField>
          </div>
          <p className="text-muted text-xs">
            A quota of the same data and time takes the place of the one before. Spans inside of a transaction count
            with it.
          </p>
        </IntentForm>
      </div>
    </Panel>
  );
}

const NEARLY_REACHED = 0.8;

function QuotaRow({ listed: { quota, used, endsAt, refused } }: { listed: ListedQuota }) {
  const { kind, period, limit } = quota;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const isReached = used >= limit;
  const name = `${toKindWords(kind)}, ${formatQuota(quota)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-56 gap-1.5">
        <p className="text-sm">
          <span className="font-semibold">{toKindWords(kind)}</span>, at most {formatQuota(quota)}
        </p>
        <div className="h-2 max-w-96 overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
          <div
            className={classNames(
              "h-full",
              isReached ? "bg-error" : share > NEARLY_REACHED ? "bg-warning" : "bg-resolved",
            )}
            style={{ width: `${share * 100}%` }}
          />
        </div>
        <p className="text-muted text-xs tabular-nums">
          <span className={classNames("font-semibold", isReached ? "text-error" : "text-ink")}>
            {formatQuotaAmount(kind, used)} used{isReached && ", the quota is reached"}
          </span>
          {period !== "minute" && (
            <>
              {" · resets "}
              <time dateTime={new Date(endsAt).toISOString()}>{formatReset(endsAt)}</time>
            </>
          )}
          {" · "}
          {refused === 0 ? "nothing refused" : `${refused.toLocaleString("en")} refused`} {toRefusedSince(period)}
        </p>
      </div>
      <ButtonForm
        fields={{ kind, period }}
        name="intent"
        value="remove-quota"
        size="sm"
        variant="quiet"
        aria-label={`Remove the quota of ${name}`}
      >
        Remove
      </ButtonForm>
    </li>
  );
}

/** The time at which a quota starts again, in UTC: `1 Dec, 00:00 UTC`. */
function formatReset(at: number): string {
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return `${day}, 00:00 UTC`;
}

/** Sets a quota again that was removed. */
export function UndoRemoval({ removed: { kind, period, limit }, typed }: { removed: Quota; typed: number }) {
  return (
    <ButtonForm
      fields={{ kind, period, limit: typed }}
      name="intent"
      value="set-quota"
      size="sm"
      data-shortcut="u"
      aria-label={`Set the quota of ${limit} again`}
    >
      Undo
    </ButtonForm>
  );
}
