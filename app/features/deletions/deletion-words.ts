import type { UserField } from "../../domain/named-user.ts";
import type { DeletionItem } from "./list-deletions.server.ts";

export const DELETION_KINDS: Record<DeletionItem["kind"], string> = {
  issue: "Issue",
  event: "Event of",
  project: "Project",
  user: "Data of a user in",
};

export const USER_FIELD_WORDS: Record<UserField, { label: string; noun: string }> = {
  id: { label: "User id", noun: "user id" },
  email: { label: "E-mail", noun: "e-mail" },
  address: { label: "IP address", noun: "IP address" },
};

export function sayCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

const FIELD_OF_TAG: Record<string, UserField> = { id: "id", email: "email", ip: "address" };

/** The user that a value of the tag `user` names, like `email:ann@example.com`. Null: it is a user name, by which nothing can be deleted. */
export function readUserTag(value: string): { field: UserField; value: string } | null {
  const [, kind = "", name = ""] = /^([a-z]+):(.+)$/s.exec(value) ?? [];
  const field = Object.hasOwn(FIELD_OF_TAG, kind) ? FIELD_OF_TAG[kind] : undefined;
  return field === undefined ? null : { field, value: name };
}

/** The page that asks what is stored of a user. */
export function toUserDataPath(user: { field: UserField; value: string; project: string }): string {
  return `/settings/deletions?${new URLSearchParams(user)}`;
}

/** Whether rows are still being deleted and counted. A deletion may first wait for others: during that time its progress is unknown. */
export function isUnderWay({ phase }: Pick<DeletionItem, "phase">): boolean {
  return phase === "asked";
}

export const DELETION_PHASES: Record<DeletionItem["phase"], { label: string; what: string }> = {
  asked: { label: "Deleting", what: "Its events are being deleted. Lists do not show it any more." },
  hidden: { label: "Deleted", what: "Nobody can see it. Events that were on their way are awaited, and deleted too." },
  swept: { label: "Deleted", what: "Nobody can see it. The payload files are written again within a day." },
  erasing: {
    label: "Erasing",
    what: "Nobody can see it. The payload files are being written again, and then the logs of the databases emptied: a backup that runs holds that up.",
  },
  done: { label: "Erased", what: "No payload file, journal or log holds it." },
};
