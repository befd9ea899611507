import type { SentryEvent, User } from "../../domain/event.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { ValueTree } from "./value-tree.tsx";

/** Contexts that people look for first; the others follow by name. */
const FIRST = [
  "browser",
  "os",
  "client_os",
  "runtime",
  "device",
  "app",
  "gpu",
  "culture",
  "cloud_resource",
  "trace",
  "response",
];
const NAMES: Record<string, string> = {
  os: "Operating system",
  client_os: "Client operating system",
  gpu: "GPU",
  app: "Application",
  cloud_resource: "Cloud resource",
  otel: "OpenTelemetry",
};

export function UserCard({ user }: { user: User }) {
  const { data, geo, ...facts } = user;
  const pairs: Array<[string, unknown]> = [
    ...Object.entries(facts),
    ...(geo ? [["geo", geo] as [string, unknown]] : []),
    ...Object.entries(data ?? {}),
  ];
  return <ContextCard title="User" values={pairs} />;
}

/** Whether there is a card to show. */
export function hasContexts(event: Pick<SentryEvent, "user" | "contexts">): boolean {
  return event.user !== undefined || listContexts(event).length > 0;
}

/** Each context as a card. */
export function ContextCards({ event }: { event: SentryEvent }) {
  return (
    <div className="context-cards">
      {event.user && <UserCard user={event.user} />}
      {listContexts(event).map(([name, values]) => (
        <ContextCard key={name} title={toName(name)} values={values} />
      ))}
    </div>
  );
}

/** In the order of the page; `type` is left out where it only repeats the name, and a context with nothing else, too. */
function listContexts({ contexts = {} }: Pick<SentryEvent, "contexts">) {
  return Object.entries(contexts)
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b, "en"))
    .map(([name, context]): [name: string, values: Array<[string, unknown]>] => [
      name,
      Object.entries(context ?? {}).filter(([key, value]) => value !== null && !(key === "type" && value === name)),
    ])
    .filter(([, values]) => values.length > 0);
}

function ContextCard({ title, values }: { title: string; values: Array<[string, unknown]> }) {
  return (
    <section className="context-card">
      <h3>{title}</h3>
      <KeyValueList pairs={values.map(([key, value]) => ({ key, value: <ValueTree value={value} /> }))} />
    </section>
  );
}

function rank(name: string): number {
  const index = FIRST.indexOf(name);
  return index === -1 ? FIRST.length : index;
}

function toName(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] as string;
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
