import type { AuditNote } from "../../../domain/audit/audit-entry.ts";
import type { ConnectedProvider } from "../../../domain/people/provider.ts";
import type { ProviderStanding } from "../../../domain/people/provider-session.ts";
import { decideProviderSignIn, type KnownIdentity } from "../../../domain/people/provider-sign-in.ts";
import type { Role } from "../../../domain/people/roles.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { ConnectResult, ProviderSignInResult, ProviderSignInStore } from "../../state/provider-store.ts";
import { memberTarget, nameTeams } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { setTeams } from "./access.ts";
import { toEmailKey } from "./email-key.ts";
import { countOwners, createMember } from "./people.ts";
import { findSettings, isProviderRequired, listSettings } from "./providers.ts";
import { deleteBarredSessions } from "./sessions.ts";

export function createProviderSignInStore(db: SqliteConnection): ProviderSignInStore {
  return {
    listOffered: async () =>
      db.read(() => ({
        providers: listSettings(db).flatMap(({ id, name, kind, isEnabled }) => (isEnabled ? [{ id, name, kind }] : [])),
        isRequired: isProviderRequired(db),
      })),
    findProvider: async (providerId) => db.read(() => findSettings(db, providerId)),
    signInByProvider: (signIn) => db.write(() => signInByProvider(db, signIn)),
    connectProvider: (connect) => db.write(() => connectProvider(db, connect)),
    findSubject: async (identity) => db.read(() => findSubject(db, identity)),
    getStanding: async (userId) => db.read(() => getStanding(db, userId)),
    listConnected: async (userId) => db.read(() => listConnected(db, userId)),
    disconnectProvider: (disconnect) => db.write(() => disconnectProvider(db, disconnect)),
  };
}

function signInByProvider(
  db: SqliteConnection,
  { providerId, person, grant, passwordHash, at }: Parameters<ProviderSignInStore["signInByProvider"]>[0],
): ProviderSignInResult {
  const known = findKnown(db, providerId, person);
  const decision = decideProviderSignIn(known, grant);
  switch (decision.kind) {
    case "refuse":
      if (decision.reason === "other-identity" && known.byAddress)
        db.note({
          action: "session.failed",
          target: memberTarget(db, known.byAddress.userId),
          after: { reason: "another account of the provider has the address" },
          actor: rulesActor(db, providerId),
        });
      return { ok: false, reason: decision.reason };
    case "end":
      endAccess(db, { providerId, userId: decision.userId, at });
      return { ok: false, reason: "no-access" };
    case "sign-in":
    case "link": {
      const { userId } = decision;
      saveIdentity(db, {
        providerId,
        subject: person.subject,
        userId,
        isManaged: known.identity?.isManaged ?? false,
        at,
      });
      if (decision.kind === "link") noteConnected(db, { providerId, userId });
      return { ok: true, userId };
    }
    case "create": {
      const userId = createMember(db, {
        email: decision.email,
        name: person.name ?? decision.email.split("@", 1)[0] ?? decision.email,
        passwordHash,
        role: grant?.role ?? "viewer",
        teamIds: grant?.teamIds ?? [],
        projectIds: [],
        at,
      });
      saveIdentity(db, { providerId, subject: person.subject, userId, isManaged: true, at });
      setGivenTeams(db, { providerId, userId, teamIds: grant?.teamIds ?? [] });
      const { role, teams } = describeMember(db, userId);
      db.note({
        action: "member.add",
        target: memberTarget(db, userId),
        after: { role, teams },
        actor: rulesActor(db, providerId),
      });
      return { ok: true, userId };
    }
    case "update": {
      const { userId, role, teamIds } = decision;
      const before = describeMember(db, userId);
      db.run("UPDATE members SET role = :role, removed_at = NULL WHERE user_id = :userId", { userId, role });
      deleteBarredSessions(db);
      setTeams(db, userId, teamIds);
      saveIdentity(db, { providerId, subject: person.subject, userId, isManaged: true, at });
      setGivenTeams(db, { providerId, userId, teamIds: grant?.teamIds ?? [] });
      const after = describeMember(db, userId);
      if (JSON.stringify(before) !== JSON.stringify(after))
        db.note({
          action: "member.edit",
          target: memberTarget(db, userId),
          before,
          after,
          actor: rulesActor(db, providerId),
        });
      return { ok: true, userId };
    }
  }
}

function findKnown(
  db: SqliteConnection,
  providerId: number,
  { subject, email, isEmailVerified }: { subject: string; email: string | null; isEmailVerified: boolean },
): KnownIdentity {
  const row = db.get<{ userId: number; isManaged: number; isEnded: number; givenTeams: string }>(
    `SELECT ${asFields("user_id, is_managed, is_ended, given_teams")} FROM provider_identities
     WHERE provider_id = :providerId AND subject = :subject`,
    { providerId, subject },
  );
  const member =
    row &&
    db.get<{ role: Role; removedAt: number | null }>(
      "SELECT role, removed_at AS removedAt FROM members WHERE user_id = :userId",
      { userId: row.userId },
    );
  const byAddress =
    email === null
      ? undefined
      : db.get<{ userId: number; removed: number; connected: number }>(
          `SELECT u.id AS userId, (m.user_id IS NULL OR m.removed_at IS NOT NULL) AS removed,
             EXISTS (SELECT 1 FROM provider_identities WHERE provider_id = :providerId AND user_id = u.id) AS connected
           FROM users u LEFT JOIN members m ON m.user_id = u.id WHERE u.email_key = :emailKey`,
          { emailKey: toEmailKey(email), providerId },
        );
  return {
    identity: row
      ? {
          userId: row.userId,
          isManaged: row.isManaged === 1,
          isEnded: row.isEnded === 1,
          givenTeamIds: JSON.parse(row.givenTeams),
        }
      : null,
    member:
      row && member
        ? {
            role: member.role,
            isRemoved: member.removedAt !== null,
            teamIds: listTeamIds(db, row.userId),
            ownerCount: countOwners(db),
          }
        : null,
    byAddress: byAddress
      ? { userId: byAddress.userId, isRemoved: byAddress.removed === 1, isConnected: byAddress.connected === 1 }
      : null,
    email,
    isEmailVerified,
  };
}

function endAccess(
  db: SqliteConnection,
  { providerId, userId, at }: { providerId: number; userId: number; at: number },
): void {
  db.run("UPDATE members SET removed_at = :at WHERE user_id = :userId", { userId, at });
  for (const table of ["sessions", "known_browsers"])
    db.run(`DELETE FROM ${table} WHERE user_id = :userId`, { userId });
  db.run("UPDATE provider_identities SET is_ended = 1 WHERE provider_id = :providerId AND user_id = :userId", {
    providerId,
    userId,
  });
  db.note({
    action: "member.remove",
    target: memberTarget(db, userId),
    before: { removed: false },
    after: { removed: true },
    actor: rulesActor(db, providerId),
  });
}

function saveIdentity(
  db: SqliteConnection,
  identity: { providerId: number; subject: string; userId: number; isManaged: boolean; at: number },
): void {
  const { isManaged, ...used } = identity;
  // A person has one identity at a provider. A new identity replaces it, and the rights from claims stay with the person.
  db.run(
    `UPDATE provider_identities SET subject = :subject, used_at = :at, is_ended = 0
     WHERE provider_id = :providerId AND user_id = :userId`,
    used,
  );
  db.run(
    `INSERT INTO provider_identities (provider_id, subject, user_id, is_managed, used_at)
     VALUES (:providerId, :subject, :userId, :isManaged, :at) ON CONFLICT DO NOTHING`,
    { ...used, isManaged: isManaged ? 1 : 0 },
  );
}

function setGivenTeams(
  db: SqliteConnection,
  { providerId, userId, teamIds }: { providerId: number; userId: number; teamIds: readonly number[] },
): void {
  db.run("UPDATE provider_identities SET given_teams = :teams WHERE provider_id = :providerId AND user_id = :userId", {
    providerId,
    userId,
    teams: JSON.stringify(teamIds),
  });
}

function connectProvider(
  db: SqliteConnection,
  { providerId, subject, userId, at }: Parameters<ProviderSignInStore["connectProvider"]>[0],
): ConnectResult {
  const other = db.get<{ userId: number }>(
    `SELECT user_id AS userId FROM provider_identities WHERE provider_id = :providerId AND subject = :subject`,
    { providerId, subject },
  );
  if (other) return other.userId === userId ? "connected" : "taken";
  const connected = listConnected(db, userId).find((each) => each.providerId === providerId);
  if (connected?.isManaged) return "managed";
  saveIdentity(db, { providerId, subject, userId, isManaged: false, at });
  noteConnected(db, { providerId, userId });
  return "connected";
}

function noteConnected(db: SqliteConnection, { providerId, userId }: { providerId: number; userId: number }): void {
  const factor = findSettings(db, providerId)?.name ?? "a provider";
  const target = memberTarget(db, userId);
  db.note({
    action: "factor.add",
    target,
    after: { factor },
    actor: { kind: "member", id: userId, name: target.name },
  });
}

function findSubject(db: SqliteConnection, identity: { providerId: number; userId: number }): string | null {
  const sql = "SELECT subject FROM provider_identities WHERE provider_id = :providerId AND user_id = :userId";
  return db.get<{ subject: string }>(sql, identity)?.subject ?? null;
}

function getStanding(db: SqliteConnection, userId: number): ProviderStanding | null {
  const row = db.get<RowOf<ProviderStanding, { isRequired: number }> & { requiredAt: number | null }>(
    `SELECT m.role, o.requires_provider AS isRequired, o.provider_required_at AS requiredAt,
       o.provider_token_days AS tokenDays, max(i.used_at) AS seenAt
     FROM members m JOIN organization o LEFT JOIN provider_identities i ON i.user_id = m.user_id
     WHERE m.user_id = :userId AND m.removed_at IS NULL GROUP BY m.user_id`,
    { userId },
  );
  if (row === undefined) return null;
  const { requiredAt, ...standing } = row;
  const seen = [row.seenAt, requiredAt].filter((at) => at !== null);
  return {
    ...standing,
    isRequired: row.isRequired === 1,
    seenAt: seen.length === 0 ? null : Math.max(...seen),
  };
}

function listConnected(db: SqliteConnection, userId: number): ConnectedProvider[] {
  return db
    .all<Omit<ConnectedProvider, "isManaged"> & { isManaged: number }>(
      `SELECT ${asFields("i.provider_id, p.name, i.is_managed, i.used_at")} FROM provider_identities i
       JOIN sign_in_providers p ON p.id = i.provider_id WHERE i.user_id = :userId ORDER BY name_key(p.name), p.id`,
      { userId },
    )
    .map((row) => ({ ...row, isManaged: row.isManaged === 1 }));
}

function disconnectProvider(
  db: SqliteConnection,
  { providerId, userId }: { providerId: number; userId: number },
): boolean {
  const connected = listConnected(db, userId).find((each) => each.providerId === providerId);
  if (!connected || connected.isManaged) return false;
  dropIdentity(db, { providerId, userId });
  return true;
}

/** Removes all identities of a member at providers, within a write transaction. Then no claims decide about the member. */
export function disconnectAll(db: SqliteConnection, userId: number): void {
  for (const { providerId } of listConnected(db, userId)) dropIdentity(db, { providerId, userId });
}

function dropIdentity(db: SqliteConnection, identity: { providerId: number; userId: number }): void {
  const { providerId, userId } = identity;
  db.run("DELETE FROM provider_identities WHERE provider_id = :providerId AND user_id = :userId", identity);
  db.run("DELETE FROM sessions WHERE provider_id = :providerId AND user_id = :userId", identity);
  const factor = findSettings(db, providerId)?.name ?? "a provider";
  db.note({ action: "factor.remove", target: memberTarget(db, userId), before: { factor } });
}

function rulesActor(db: SqliteConnection, providerId: number): NonNullable<AuditNote["actor"]> {
  return { kind: "server", id: null, name: `rules of ${findSettings(db, providerId)?.name ?? "a provider"}` };
}

function describeMember(db: SqliteConnection, userId: number) {
  const row = db.get<{ role: Role; removed: number }>(
    "SELECT role, removed_at IS NOT NULL AS removed FROM members WHERE user_id = :userId",
    { userId },
  );
  return { role: row?.role ?? null, removed: row?.removed === 1, teams: nameTeams(db, listTeamIds(db, userId)) };
}

function listTeamIds(db: SqliteConnection, userId: number): number[] {
  return db
    .all<{ id: number }>("SELECT team_id AS id FROM team_members WHERE user_id = :userId ORDER BY 1", { userId })
    .map(({ id }) => id);
}
