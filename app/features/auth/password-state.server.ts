import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { hasPassword } from "./confirm-password.server.ts";
import { mailsResets } from "./reset-password.server.ts";

/** Whether an account has a password here. Whom a provider made a member has none at first. */
export type PasswordState =
  | { kind: "has" }
  /** They can set one: by a mailed link, or, where no mail is sent, by one that an owner hands over. */
  | { kind: "none"; sendsMail: boolean }
  /** The organization leaves passwords to owners. */
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
