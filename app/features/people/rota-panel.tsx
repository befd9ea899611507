import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Input, SelectField, TextField } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { RotaView, ShiftView } from "./describe-rota.server.ts";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Who is on call for a team, and its rota. */
export function RotaPanel({
  rota,
  members,
  mayChange,
  error,
}: {
  rota: RotaView | null;
  /** The members of the team. */
  members: ReadonlyArray<{ userId: number; name: string }>;
  mayChange: boolean;
  error: { field: string; message: string } | null;
}) {
  const hasMembers = members.length > 0;
  return (
    <Panel
      id="on-call"
      title="On call"
      description="One member a week, in turn. Alert rules and their steps can tell the member on call."
      actions={
        rota &&
        mayChange && (
          <ConfirmDialog
            title="End the rota?"
            trigger={{ variant: "quiet", size: "sm", children: "End the rota…" }}
            explanation={
              <p>Its order and its overrides are gone. Rules that tell the member on call then tell the whole team.</p>
            }
          >
            <ButtonForm name="intent" value="rota-off" variant="danger">
              End the rota
            </ButtonForm>
          </ConfirmDialog>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {rota ? (
          <Shifts rota={rota} />
        ) : (
          <p className="text-sm">
            This team has no rota: nobody is on call.{mayChange && !hasMembers && " A rota needs members of the team."}
          </p>
        )}
        {rota && <Overrides rota={rota} members={members} mayChange={mayChange} error={error} />}
        {mayChange && (rota || hasMembers) && <RotaForm rota={rota} members={members} error={error} />}
      </div>
    </Panel>
  );
}

function Shifts({ rota: { shifts, timezone } }: { rota: RotaView }) {
  const [now, ...later] = shifts;
  if (now === undefined)
    return <p className="text-sm">Nobody of the rota is in the team any more. Alert rules tell the whole team.</p>;
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-base">
        <b>{now.name}</b> is on call
        {later.length > 0 ? ` until ${now.toText}` : ", and nobody comes after them"}
        {now.isOverride && ", by an override"}.
      </p>
      {later.length > 0 && (
        <ol aria-label="Next on call" className="grid gap-1">
          {later.map((shift) => (
            <li key={shift.from}>
              {shift.fromText}: {shift.name}
              {shift.isOverride && ", by an override"}
            </li>
          ))}
        </ol>
      )}
      <p className="text-muted text-xs">Times are those of {timezone}.</p>
    </div>
  );
}

function Overrides({
  rota: { overrides, timezone },
  members,
  mayChange,
  error,
}: {
  rota: RotaView;
  members: ReadonlyArray<{ userId: number; name: string }>;
  mayChange: boolean;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  return (
    <section aria-labelledby="rota-overrides" className="grid gap-3 border-line border-t pt-4">
      <h3 id="rota-overrides" className="font-semibold text-sm">
        Overrides
      </h3>
      {overrides.length === 0 ? (
        <p className="text-muted text-sm">None. An override is for a swap, a holiday or an evening.</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {overrides.map((override) => (
            <OverrideRow key={`${override.userId} ${override.from} ${override.to}`} {...{ override, mayChange }} />
          ))}
        </ul>
      )}
      {mayChange && (
        <IntentForm intent="override" submit="Add the override">
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <SelectField label="Who" {...field("user")}>
              {toOptions(members, ({ userId, name }) => [userId, name])}
            </SelectField>
            <TextField label="From" {...field("from")} type="datetime-local" required />
            <TextField
              label="To"
              {...field("to")}
              type="datetime-local"
              required
              hint={`In the zone of the rota: ${timezone}.`}
            />
          </div>
        </IntentForm>
      )}
    </section>
  );
}

function OverrideRow({ override, mayChange }: { override: ShiftView; mayChange: boolean }) {
  const { name, userId, from, to, fromText, toText } = override;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        {name}, from {fromText} to {toText}
      </span>
      {mayChange && (
        <ButtonForm
          name="intent"
          value="override-off"
          fields={{ user: userId, from, to }}
          size="sm"
          variant="quiet"
          aria-label={`Remove the override of ${name} from ${fromText}`}
        >
          Remove
        </ButtonForm>
      )}
    </li>
  );
}

function RotaForm({
  rota,
  members,
  error,
}: {
  rota: RotaView | null;
  members: ReadonlyArray<{ userId: number; name: string }>;
  error: { field: string; message: string } | null;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  const isHydrated = useIsHydrated();
  const ownZone = isHydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const orderError = errorOf("order");
  const placeOf = (userId: number, index: number) => {
    if (rota === null) return index + 1;
    const place = rota.order.indexOf(userId);
    return place === -1 ? "" : place + 1;
  };
  return (
    <section aria-labelledby="rota-order" className="grid gap-3 border-line border-t pt-4">
      <h3 id="rota-order" className="font-semibold text-sm">
        {rota ? "Change the rota" : "Make a rota"}
      </h3>
      <IntentForm intent="rota" submit={rota ? "Save the rota" : "Start the rota"}>
        <fieldset aria-describedby="rota-order-hint" className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Order</legend>
          <p id="rota-order-hint" className="text-muted text-xs">
            Number 1 has this week. A member without a number is never on call.
          </p>
          {members.length === 0 && <p className="text-sm">The team has no members yet.</p>}
          {members.map(({ userId, name }, index) => (
            <div key={userId} className="flex items-center gap-2 text-sm">
              <Input
                controlSize="sm"
                className="max-w-16"
                type="number"
                min={1}
                name={`place-${userId}`}
                aria-label={`Place of ${name}`}
                defaultValue={placeOf(userId, index)}
              />
              <span className="wrap-anywhere">{name}</span>
            </div>
          ))}
          <GroupError message={orderError} />
        </fieldset>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <SelectField label="Handover on" {...field("weekday", String(rota?.weekday ?? 1))}>
            {toOptions(DAYS, (day, index) => [index + 1, day])}
          </SelectField>
          <TextField label="At" {...field("time", rota?.time ?? "09:00")} type="time" required />
          <CodeField
            key={rota === null ? ownZone : "saved"}
            label="Time zone"
            {...field("timezone", rota?.timezone ?? ownZone)}
            required
            hint="Like Europe/Berlin. Summer time is kept."
          />
        </div>
      </IntentForm>
    </section>
  );
}
