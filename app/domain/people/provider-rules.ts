import { higherRole, type Role } from "./roles.ts";

/** The claims of a provider about a person, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** Gives a role and teams to everybody whose claim has this value. */
export interface ProviderRule {
  /** A name, or a path like `realm_access.roles`. */
  claim: string;
  /** `*`: any. */
  value: string;
  role: Role;
  teamIds: readonly number[];
}

export const MAX_RULES = 50;
export const MAX_CLAIM_CHARS = 200;

/** The rights that rules give a person. */
export interface ProviderGrant {
  role: Role;
  /** Ascending. */
  teamIds: number[];
}

export interface AppliedRules {
  /** Places in the list of the rules that match. */
  matches: number[];
  /** Null: no rule matches, so there is no access. */
  grant: ProviderGrant | null;
}

/** Matching rules add up: the highest role, and all teams. */
export function applyRules(rules: readonly ProviderRule[], claims: Claims): AppliedRules {
  const matches = rules.flatMap((rule, index) => (doesMatch(rule, claims) ? [index] : []));
  const matching = rules.filter((_, index) => matches.includes(index));
  const [first] = matching;
  if (!first) return { matches, grant: null };
  const role = matching.reduce((best, rule) => higherRole(best, rule.role), first.role);
  const teamIds = [...new Set(matching.flatMap((rule) => rule.teamIds))].sort((a, b) => a - b);
  return { matches, grant: { role, teamIds } };
}

/** The values of a claim, as texts: of a list each item, of text, numbers and true or false the one. Names may contain dots. */
export function readClaim(claims: Claims, path: string): string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : walk(claims, path.split("."));
  return (Array.isArray(found) ? found : [found]).flatMap((value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [String(value)] : [],
  );
}

function doesMatch({ claim, value }: ProviderRule, claims: Claims): boolean {
  const values = readClaim(claims, claim);
  return value === "*" ? values.length > 0 : values.includes(value);
}

function walk(from: unknown, names: readonly string[]): unknown {
  let value = from;
  for (const name of names) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
