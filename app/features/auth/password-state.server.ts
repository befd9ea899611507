import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { hasPassword } from "./confirm-password.server.ts";
import { mailsResets } from "./reset-password.server.ts";

/** Whether an account has a password here. An account that a provider made has none at first. */
export type PasswordState =
  | { kind: "has" }
  /** They can set one: with a mailed link or, if no mail is sent, with a link from an owner. */
  | { kind: "none"; sendsMail: boolean }
  /** The organization allows passwords only to owners. */
  | { kind: "not-allowed" };

export async function getPasswordState(
  {
    people,
    providerSignIns,
    ...mail
  }: {
    people: Pick<PeopleStore, "findCredentials">;
    providerSignIns: Pick<ProviderSignInStore, "listOffered">;
  } & Parameters<typeof mailsResets>[0],
  viewer: User,
): Promise<PasswordState> {
  if (await hasPassword(people, viewer)) return { kind: "has" };
  if (viewer.role !== "owner" && (await providerSignIns.listOffered()).isRequired) return { kind: "not-allowed" };
  return { kind: "none", sendsMail: mailsResets(mail) };
}
