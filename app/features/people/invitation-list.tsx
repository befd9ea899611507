import type { Invitation } from "../../domain/people/invitation.ts";
import { ROLES, seesEveryProject } from "../../domain/people/roles.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField, SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useSendsNothing } from "../frame/use-sends-nothing.ts";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { ROLE_WORDS } from "./access-words.ts";

interface Choices {
  teams: ReadonlyArray<{ id: number; name: string }>;
  projects: ReadonlyArray<{ id: number; name: string }>;
}

/** Invitations that nobody has accepted yet. */
export function InvitationList({ invitations, teams, projects }: Choices & { invitations: readonly Invitation[] }) {
  if (invitations.length === 0) return null;
  const nameOf = (list: Choices["teams"], ids: readonly number[]) =>
    list.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return (
    <Panel title="Invited, not here yet" isFlush>
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => {
          const who = invitation.email ?? "anybody who has the link";
          const reach = [...nameOf(teams, invitation.teamIds), ...nameOf(projects, invitation.projectIds)];
          return (
            <li key={invitation.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
              <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
                <p className="wrap-anywhere text-sm">
                  <span className="font-semibold">{invitation.email ?? "Link to hand over"}</span>{" "}
                  <span className="text-muted">
                    {ROLE_WORDS[invitation.role].label}
                    {reach.length > 0
                      ? ` of ${reach.join(", ")}`
                      : !seesEveryProject(invitation.role) && ", sees no project yet"}
                  </span>
                </p>
                <p className="wrap-anywhere text-muted text-xs">
                  {invitation.invitedBy ? `By ${invitation.invitedBy}` : "By a token"}, made{" "}
                  <RelativeTime at={invitation.createdAt} />, works until <AbsoluteTime at={invitation.expiresAt} />
                  {invitation.mail?.isOk && " · mailed"}
                </p>
                {invitation.mail && !invitation.mail.isOk && (
                  <p className="wrap-anywhere text-error text-xs">Not mailed: {invitation.mail.answer}</p>
                )}
              </div>
              <ButtonForm
                fields={{ invitation: invitation.id }}
                name="intent"
                value="renew"
                size="sm"
                aria-label={`Make a new link for ${who}`}
              >
                {invitation.mail ? "Send again" : "New link"}
              </ButtonForm>
              <ButtonForm
                fields={{ invitation: invitation.id }}
                name="intent"
                value="revoke"
                size="sm"
                variant="quiet"
                aria-label={`Revoke the invitation of ${who}`}
              >
                Revoke
              </ButtonForm>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** A button that makes the link of a just revoked invitation valid again. */
export function UndoRevocation({ invitationId }: { invitationId: number }) {
  return (
    <ButtonForm
      fields={{ invitation: invitationId }}
      name="intent"
      value="restore-invitation"
      size="sm"
      data-shortcut="u"
    >
      Undo
    </ButtonForm>
  );
}

export function InviteForm({
  teams,
  projects,
  isOwner,
  mailFrom,
  typed,
  error,
}: Choices & {
  isOwner: boolean;
  /** Null: mail is not set up, so there is only the link. */
  mailFrom: string | null;
  typed: TypedFields | null;
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  const begin = beginWith(typed, "invite");
  const sendsNothing = useSendsNothing();
  return (
    <Panel
      title="Invite somebody"
      description={
        mailFrom === null
          ? `You get a link to hand over. It works once, for seven days. ${sendsNothing ? "The server mails nothing: it was started with SEND_NOTHING=1." : "With SMTP_URL set, the server mails it, too."}`
          : "The server mails a link, and shows it to you. It works once, for seven days."
      }
    >
      <IntentForm intent="invite" submit="Invite" variant="primary">
        <TextField
          label="E-mail"
          {...field("email", begin.text("email", undefined))}
          type="email"
          maxLength={254}
          autoComplete="off"
          hint="If you leave it empty, anybody who has the link can join."
        />
        <SelectField label="Role" {...field("role", begin.text("role", "member"))}>
          {toOptions(
            ROLES.filter((role) => isOwner || role !== "owner"),
            (role) => [role, `${ROLE_WORDS[role].label}: ${ROLE_WORDS[role].may}`],
          )}
        </SelectField>
        {teams.length > 0 && (
          <fieldset className="grid gap-2">
            <legend className="pb-1.5 font-semibold text-sm">Teams</legend>
            {teams.map(({ id, name }) => (
              <CheckboxField
                key={id}
                name="team"
                value={id}
                defaultChecked={begin.isChecked("team", id, false)}
                label={<span className="wrap-anywhere">{name}</span>}
              />
            ))}
          </fieldset>
        )}
        <fieldset className="grid gap-2">
          <legend className="pb-1.5 font-semibold text-sm">Projects that they see without a team</legend>
          <p className="text-muted text-xs">
            Owners and managers see every project. Others see those of their teams and those chosen here, so with
            neither they see nothing.
          </p>
          {projects.map(({ id, name }) => (
            <CheckboxField
              key={id}
              name="project"
              value={id}
              defaultChecked={begin.isChecked("project", id, false)}
              label={<span className="wrap-anywhere">{name}</span>}
            />
          ))}
        </fieldset>
      </IntentForm>
    </Panel>
  );
}
