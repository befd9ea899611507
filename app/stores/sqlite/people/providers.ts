import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { Provider, ProviderClientSettings } from "../../../domain/people/provider.ts";
import type { ProviderLimits } from "../../../domain/people/provider-session.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { MAX_PROVIDERS, type ProviderStore } from "../../state/provider-store.ts";
import { nameTeams } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { getOrganization } from "./people.ts";
import { deleteBarredSessions } from "./sessions.ts";

type Row = RowOf<ProviderClientSettings, { rules: string; isEnabled: number }>;

const SQL = `SELECT ${asFields(
  "id, kind, name, issuer, client_id, client_secret, scopes, rules, is_enabled, created_at",
)} FROM sign_in_providers`;

export function createProviderStore(db: SqliteConnection): ProviderStore {
  return {
    listProviders: async () => db.read(() => listSettings(db).map(withoutSecret)),
    getProvider: async (_, providerId) => db.read(() => getProvider(db, providerId)),
    createProvider: (...input) => db.write(() => createProvider(db, ...input)),
    changeProvider: (...input) => db.write(() => changeProvider(db, ...input)),
    deleteProvider: (_, providerId) => db.write(() => deleteProvider(db, providerId)),
    isProviderRequired: async () => db.read(() => isProviderRequired(db)),
    requireProvider: (_, change) => db.write(() => requireProvider(db, change)),
    getProviderLimits: async () => db.read(() => getProviderLimits(db)),
    saveProviderLimits: (_, limits) => db.write(() => saveProviderLimits(db, limits)),
  };
}

export function listSettings(db: SqliteConnection): ProviderClientSettings[] {
  return db.all<Row>(`${SQL} ORDER BY id LIMIT ${MAX_PROVIDERS}`).map(toSettings);
}

export function findSettings(db: SqliteConnection, providerId: number): ProviderClientSettings | null {
  const row = db.get<Row>(`${SQL} WHERE id = :providerId`, { providerId });
  return row ? toSettings(row) : null;
}

export function isProviderRequired(db: SqliteConnection): boolean {
  const sql = "SELECT requires_provider AS isRequired FROM organization WHERE id = 1";
  return db.get<{ isRequired: number }>(sql)?.isRequired === 1;
}

function getProvider(db: SqliteConnection, providerId: number): Provider | null {
  const settings = findSettings(db, providerId);
  return settings && withoutSecret(settings);
}

function createProvider(
  db: SqliteConnection,
  _scope: Scope,
  provider: Parameters<ProviderStore["createProvider"]>[1],
): Provider | null {
  if (listSettings(db).length >= MAX_PROVIDERS) return null;
  const { insertedId } = db.run(
    `INSERT INTO sign_in_providers (kind, name, issuer, client_id, client_secret, scopes, rules, created_at)
     VALUES (:kind, :name, :issuer, :clientId, :clientSecret, :scopes, '[]', :at)`,
    provider,
  );
  const made = getProvider(db, insertedId);
  if (made) db.note({ action: "provider.change", target: toTarget(made), after: toFields(db, made) });
  return made;
}

function changeProvider(
  db: SqliteConnection,
  _scope: Scope,
  { providerId, rules, isEnabled, onlyIf, ...texts }: Parameters<ProviderStore["changeProvider"]>[1],
): Provider | null {
  const before = findSettings(db, providerId);
  if (!before || (onlyIf && !areRulesOf(before, onlyIf))) return null;
  const after = {
    ...before,
    ...texts,
    rules: [...(rules ?? before.rules)],
    isEnabled: isEnabled ?? before.isEnabled,
  };
  const { id, name, issuer, clientId, clientSecret, scopes } = after;
  db.run(
    `UPDATE sign_in_providers SET name = :name, issuer = :issuer, client_id = :clientId, client_secret = :clientSecret,
       scopes = :scopes, rules = :rules, is_enabled = :isEnabled WHERE id = :id`,
    {
      ...{ id, name, issuer, clientId, clientSecret, scopes },
      rules: JSON.stringify(after.rules),
      isEnabled: after.isEnabled ? 1 : 0,
    },
  );
  // An identity at one issuer says nothing about people of another issuer.
  if (issuer !== before.issuer) db.run("DELETE FROM provider_identities WHERE provider_id = :id", { id });
  if (!after.isEnabled || issuer !== before.issuer) db.run("DELETE FROM sessions WHERE provider_id = :id", { id });
  if (!after.isEnabled) allowPasswords(db);
  const hasNewSecret = clientSecret !== before.clientSecret;
  db.note({
    action: "provider.change",
    target: toTarget(after),
    before: { ...toFields(db, before), ...(hasNewSecret && { clientSecret: "another one" }) },
    after: { ...toFields(db, after), ...(hasNewSecret && { clientSecret: "changed" }) },
  });
  return withoutSecret(after);
}

function deleteProvider(db: SqliteConnection, providerId: number): boolean {
  const before = findSettings(db, providerId);
  if (!before) return false;
  db.run("DELETE FROM sign_in_providers WHERE id = :providerId", { providerId });
  allowPasswords(db);
  db.note({ action: "provider.change", target: toTarget(before), before: toFields(db, before) });
  return true;
}

/** Allows passwords again if no provider is on: otherwise only owners could sign in. */
function allowPasswords(db: SqliteConnection): void {
  if (!listSettings(db).some(({ isEnabled }) => isEnabled)) requireProvider(db, { isRequired: false, at: 0 });
}

function requireProvider(db: SqliteConnection, { isRequired, at }: { isRequired: boolean; at: number }): void {
  const organization = getOrganization(db);
  const wasRequired = isProviderRequired(db);
  if (organization === null || wasRequired === isRequired) return;
  db.run("UPDATE organization SET requires_provider = :isRequired, provider_required_at = :requiredAt", {
    isRequired: isRequired ? 1 : 0,
    requiredAt: isRequired ? at : null,
  });
  deleteBarredSessions(db);
  db.note({
    action: "sign-in.edit",
    target: { kind: "organization", id: 1, name: organization.slug },
    before: { requiresProvider: wasRequired },
    after: { requiresProvider: isRequired },
  });
}

function getProviderLimits(db: SqliteConnection): ProviderLimits {
  const row = db.get<ProviderLimits>(
    "SELECT provider_session_hours AS sessionHours, provider_token_days AS tokenDays FROM organization",
  );
  if (row === undefined) throw new Error("there are no limits before the server is set up");
  return row;
}

function saveProviderLimits(db: SqliteConnection, limits: ProviderLimits): void {
  const before = getProviderLimits(db);
  db.run("UPDATE organization SET provider_session_hours = :sessionHours, provider_token_days = :tokenDays", {
    ...limits,
  });
  db.note({
    action: "sign-in.edit",
    target: { kind: "organization", id: 1, name: getOrganization(db)?.slug ?? "" },
    before: { ...before },
    after: { ...limits },
  });
}

function areRulesOf({ issuer, rules }: Provider, expected: Pick<Provider, "issuer" | "rules">): boolean {
  return issuer === expected.issuer && JSON.stringify(rules) === JSON.stringify(expected.rules);
}

function toTarget({ id, name }: Provider) {
  return { kind: "provider", id, name };
}

function toFields(
  db: SqliteConnection,
  { kind, name, issuer, clientId, scopes, rules, isEnabled }: Provider,
): AuditFields {
  const texts = rules.map(({ claim, value, role, teamIds }) =>
    [`${claim} = ${value}: ${role}`, ...nameTeams(db, teamIds)].join(", "),
  );
  return { kind, name, issuer, clientId, scopes, rules: texts, isEnabled };
}

function toSettings(row: Row): ProviderClientSettings {
  return { ...row, rules: JSON.parse(row.rules), isEnabled: row.isEnabled === 1 };
}

function withoutSecret({ clientSecret: _, ...provider }: ProviderClientSettings): Provider {
  return provider;
}
