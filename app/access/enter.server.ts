import type { AuditActor } from "../domain/audit/audit-entry.ts";
import type { Right } from "../domain/scope.ts";
import type { User } from "../domain/user.ts";
import { type Engine, requireEngine } from "./engine.ts";
import { openWorkspace } from "./open-workspace.server.ts";
import type { Workspace } from "./workspace.ts";

/** What is needed to find out who the sender is: set-up, sign-in, tokens. It comes before every scope. */
export interface Entrance {
  readonly people: Engine["state"]["people"];
  readonly links: Engine["state"]["links"];
  readonly shareLinks: Engine["state"]["shareLinks"];
  readonly statusPageLinks: Engine["state"]["statusPageLinks"];
  readonly actLinks: Engine["state"]["actLinks"];
  readonly secondFactors: Engine["state"]["secondFactors"];
  readonly emailChanges: Engine["state"]["emailChanges"];
  readonly passkeys: Engine["state"]["passkeys"];
  readonly providerSignIns: Engine["state"]["providerSignIns"];
  readonly providerClient: Engine["providerClient"];
  readonly invitations: Engine["state"]["invitations"];
  readonly notifications: Engine["notifications"];
  readonly tokens: Engine["state"]["tokens"];
  readonly passwords: Engine["passwords"];
  readonly setUpCode: Engine["setUpCode"];
  readonly settings: Engine["settings"];
  /** The audit log for events that no store writes down itself: sign-ins. */
  readonly audit: Pick<Engine["state"]["audit"], "note"> & { readonly failedSignIns: Engine["failedSignIns"] };
  /** Runs `work`. The audit log names this actor for every change in it. */
  actAs<Result>(actor: AuditActor, work: () => Result): Result;
  /** Runs `work`. Its reads of events take turns with those of other askers. Null: a person who is not signed in. */
  readFor<Result>(asker: { user: User | null; tokenId: number | null } | null, work: () => Result): Result;
  reloadKeys(): Promise<void>;
  /** `user` null: a token of the organization. */
  openWorkspace(who: { user: User | null; rights: readonly Right[] }): Promise<Workspace>;
}

/** @throws if no engine runs in this process. */
export function requireEntrance(): Entrance {
  const engine = requireEngine();
  return {
    people: engine.state.people,
    links: engine.state.links,
    shareLinks: engine.state.shareLinks,
    statusPageLinks: engine.state.statusPageLinks,
    actLinks: engine.state.actLinks,
    secondFactors: engine.state.secondFactors,
    emailChanges: engine.state.emailChanges,
    passkeys: engine.state.passkeys,
    providerSignIns: engine.state.providerSignIns,
    providerClient: engine.providerClient,
    invitations: engine.state.invitations,
    notifications: engine.notifications,
    tokens: engine.state.tokens,
    passwords: engine.passwords,
    setUpCode: engine.setUpCode,
    settings: engine.settings,
    audit: { note: engine.state.audit.note, failedSignIns: engine.failedSignIns },
    actAs: engine.state.audit.actAs,
    readFor: (asker, work) => engine.events.readFor(nameAsker(asker), work),
    reloadKeys: engine.reloadKeys,
    openWorkspace: (who) => openWorkspace(engine, who),
  };
}

/**
 * The name by which turns are given. All tokens of a person count as that person. All people who are not signed in count as one: they can
 * only read shared pages.
 */
function nameAsker(asker: { user: User | null; tokenId: number | null } | null): string {
  if (asker === null) return "strangers";
  return asker.user ? `user ${asker.user.id}` : `token ${asker.tokenId}`;
}
