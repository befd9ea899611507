import type { ReactNode } from "react";
import type { SentryEvent, User } from "../../domain/event.ts";
import type { UserField } from "../../domain/named-user.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toUserDataPath } from "../deletions/deletion-words.ts";
import { isBytes } from "./context-bytes.ts";
import { toEventId } from "./event-id.ts";
import { listContexts, listUserValues, nameContext } from "./list-contexts.ts";
import { ValueTree } from "./value-tree.tsx";

const PROFILE_IDS = ["profile_id", "profiler_id"];

function UserCard({ user }: { user: User }) {
  const named = nameUser(user);
  return (
    <ContextCard name="user" title="User" values={listUserValues(user)}>
      {named && (
        // Not prefetched: that page searches for everything that the user has sent.
        <TextLink className="text-sm" prefetch="none" to={toUserDataPath({ ...named, project: "" })}>
          Delete all that this user sent…
        </TextLink>
      )}
    </ContextCard>
  );
}

/** The field and value by which the page of deletions finds most data of a user. Null: the user has no field that it can search for. */
function nameUser({ id, email, ip_address: address }: User): { field: UserField; value: string } | null {
  if (id) return { field: "id", value: String(id) };
  if (email) return { field: "email", value: email };
  return address ? { field: "address", value: address } : null;
}

/** Whether there is a card to show. */
export function hasContexts(event: Pick<SentryEvent, "user" | "contexts">): boolean {
  return event.user !== undefined || listContexts(event).length > 0;
}

export function ContextCards({ event }: { event: SentryEvent }) {
  return (
    <div className="context-cards">
      {event.user && <UserCard user={event.user} />}
      {listContexts(event).map(([name, values]) => (
        <ContextCard key={name} name={name} title={nameContext(name)} values={values}>
          {name === "profile" && <ProfileLinks values={values} />}
        </ContextCard>
      ))}
    </div>
  );
}

/** Links to stored profiles, for context values that name a profile. */
function ProfileLinks({ values }: { values: ReadonlyArray<[key: string, value: unknown]> }) {
  return values.map(([key, value]) => {
    const id = typeof value === "string" && PROFILE_IDS.includes(key) ? toEventId(value) : null;
    return (
      id && (
        <TextLink key={key} className="text-sm" prefetch="none" to={`/events/${id}`}>
          Open the profile
        </TextLink>
      )
    );
  });
}

function Bytes({ value }: { value: number }) {
  return (
    <>
      {formatBytes(value)} <span className="text-muted text-xs">{value}</span>
    </>
  );
}

function ContextCard({
  name,
  title,
  values,
  children,
}: {
  name: string;
  title: string;
  values: Array<[string, unknown]>;
  children?: ReactNode;
}) {
  return (
    <section className="context-card">
      <h3>{title}</h3>
      <KeyValueList
        pairs={values.map(([key, value]) => ({
          key,
          value: isBytes(name, key, value) ? <Bytes value={value} /> : <ValueTree value={value} />,
        }))}
      />
      {children}
    </section>
  );
}
