import { type CleanedWhere, createAdapterFactory } from "@better-auth/core/db/adapter";
import { accounts } from "./account-rows.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import { resetLinks } from "./reset-link-rows.server.ts";
import type { Match, Row, Rows } from "./rows.ts";
import { sessions } from "./session-rows.server.ts";
import { users } from "./user-rows.server.ts";

/**
 * Makes the database adapter of better-auth.
 * @param more further models, of plugins
 */
export function createDatabaseAdapter(parts: AuthParts, more: Record<string, Rows> = {}) {
  const models: Record<string, Rows> = {
    user: users(parts),
    account: accounts(parts),
    session: sessions(parts),
    verification: resetLinks(parts),
    ...more,
  };

  function ask<Name extends keyof Rows>(model: string, name: Name): NonNullable<Rows[Name]> {
    const method = models[model]?.[name];
    if (!method) throw new Error(`better-auth wants to ${name} rows of ${model}, which Culprit does not have`);
    return method;
  }

  return createAdapterFactory({
    config: { adapterId: "culprit", adapterName: "Culprit", disableIdGeneration: true },
    adapter: () => ({
      create: async <T extends Row>({ model, data }: { model: string; data: T }) =>
        (await ask(model, "create")(data)) as T,
      findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
        ((await ask(model, "find")(toMatch(where)))[0] ?? null) as T | null,
      findMany: async <T>({ model, where }: { model: string; where?: CleanedWhere[] | undefined }) =>
        (await ask(model, "find")(toMatch(where ?? []))) as T[],
      update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) =>
        (await ask(model, "update")(toMatch(where), update as Row)) as T | null,
      updateMany: async ({ model, where, update }) =>
        (await ask(model, "update")(toMatch(where), update)) === null ? 0 : 1,
      delete: async ({ model, where }) => void (await ask(model, "remove")(toMatch(where))),
      deleteMany: async ({ model, where }) => (await ask(model, "remove")(toMatch(where))).length,
      consumeOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
        ((await ask(model, "remove")(toMatch(where)))[0] ?? null) as T | null,
      count: async ({ model, where }) => (await ask(model, "find")(toMatch(where ?? []))).length,
    }),
  });
}

/** @throws for any condition but equality joined by AND: ignoring one would find other rows */
function toMatch(where: readonly CleanedWhere[]): Match {
  const match: Match = {};
  for (const { field, operator, connector, value } of where) {
    if (operator !== "eq" || connector !== "AND" || field in match)
      throw new Error(`better-auth asks for ${field} ${operator} ${connector}, which Culprit does not know`);
    match[field] = value;
  }
  return match;
}
