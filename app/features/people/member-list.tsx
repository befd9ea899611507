import { Form, Link, useSubmit } from "react-router";
import { ROLES, seesEveryProject } from "../../domain/people/roles.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ROLE_WORDS } from "./access-words.ts";
import type { MemberItem, MemberList as Members } from "./list-members.server.ts";

/** One row for each person: name, role, teams, and when they were last seen. */
export function MemberList({ list, isRemoved }: { list: Members; isRemoved: boolean }) {
  const { members, totalCount, mayChange, isOwner } = list;
  return (
    <Panel title={isRemoved ? "Former members" : "Members"} isFlush>
      {members.length === 0 ? (
        <EmptyState title="Nobody matches">
          {totalCount === 0 ? "Nobody was removed." : "Change the search, the role or the team."}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {members.map((member) => (
            <li key={member.userId} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
              <MemberWords member={member} mayChange={mayChange} />
              <MemberActions member={member} mayChange={mayChange && (isOwner || member.role !== "owner")} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function MemberWords({ member, mayChange }: { member: MemberItem; mayChange: boolean }) {
  const { userId, name, email, teams, projectIds, role, seenAt, removedAt, isSelf } = member;
  const given = projectIds.length === 1 ? "1 project by name" : `${projectIds.length} projects by name`;
  const signsIn = saySignIn(member, mayChange);
  const reach = [
    ...(seesEveryProject(role) ? ["every project"] : []),
    ...teams.map((team) => team.name),
    ...(projectIds.length > 0 ? [given] : []),
  ];
  return (
    <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
      <p className="wrap-anywhere flex flex-wrap items-center gap-x-2 text-sm">
        <Link to={`/settings/members/${userId}`} prefetch="intent" className="font-semibold hover:underline">
          {name}
        </Link>
        {isSelf && <Badge>You</Badge>}
        {member.hasSecondFactor && <Badge>Two factors</Badge>}
        <span className="text-muted">{email}</span>
      </p>
      <p className="wrap-anywhere text-muted text-xs">
        {reach.length > 0 ? reach.join(", ") : "no team and no project yet"}
        {" · "}
        {removedAt !== null ? (
          <>
            removed <RelativeTime at={removedAt} />
          </>
        ) : seenAt === null ? (
          "not signed in"
        ) : (
          <>
            seen <RelativeTime at={seenAt} />
          </>
        )}
        {signsIn !== "" && ` · ${signsIn}`}
      </p>
    </div>
  );
}

/**
 * The ways in which a member signs in, beside the badge of a second factor. Only people who may change members see who has just a
 * password.
 */
function saySignIn({ hasSecondFactor, hasPasskey, providers }: MemberItem, mayChange: boolean): string {
  const ways = [...providers.map(({ name }) => name), ...(hasPasskey ? ["passkey"] : [])];
  return ways.join(", ") || (mayChange && !hasSecondFactor ? "password alone" : "");
}

function MemberActions({ member, mayChange }: { member: MemberItem; mayChange: boolean }) {
  const { userId, name, role, isSelf, removedAt } = member;
  if (!mayChange) return <span className="text-sm">{ROLE_WORDS[role].label}</span>;
  if (removedAt !== null) {
    return (
      <ButtonForm
        fields={{ member: userId }}
        name="intent"
        value="restore"
        size="sm"
        aria-label={`Add ${name} again as ${role}`}
      >
        Add again
      </ButtonForm>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isSelf ? <span className="text-sm">{ROLE_WORDS[role].label}</span> : <RoleChoice member={member} />}
      {!isSelf && (
        <ButtonForm
          fields={{ member: userId }}
          name="intent"
          value="remove"
          size="sm"
          variant="quiet"
          aria-label={`Remove ${name}`}
        >
          Remove
        </ButtonForm>
      )}
    </div>
  );
}

/** Saves on each choice. Without script there is a button. */
function RoleChoice({ member: { userId, name, role } }: { member: MemberItem }) {
  const submit = useSubmit();
  return (
    <Form
      method="post"
      className="flex items-center gap-1"
      onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true })}
    >
      <input type="hidden" name="member" value={userId} />
      <input type="hidden" name="intent" value="role" />
      <Select controlSize="sm" name="role" aria-label={`Role of ${name}`} defaultValue={role} className="w-auto!">
        {toOptions(ROLES, (each) => [each, ROLE_WORDS[each].label])}
      </Select>
      <noscript>
        <Button type="submit" size="sm">
          Save
        </Button>
      </noscript>
    </Form>
  );
}
