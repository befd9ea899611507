import type { SentryEvent, User } from "../../domain/event.ts";
import { readFeatureFlags } from "./feature-flags.ts";

/** Contexts that people look at first. The others follow, sorted by name. */
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
  flags: "Feature flags",
  otel: "OpenTelemetry",
};

/** Contexts in the order of the page. A `type` that only repeats the name is left out, and so is a context with nothing else. */
export function listContexts({ contexts = {} }: Pick<SentryEvent, "contexts">) {
  return Object.entries(contexts)
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b, "en"))
    .map(([name, context]): [name: string, values: Array<[string, unknown]>] => [
      name,
      listValues(name, context).filter(([key, value]) => value !== null && !(key === "type" && value === name)),
    ])
    .filter(([, values]) => values.length > 0);
}

export function nameContext(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] as string;
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function listUserValues({ data, geo, ...facts }: User): Array<[string, unknown]> {
  return [...Object.entries(facts), ...(geo ? [["geo", geo] as [string, unknown]] : []), ...Object.entries(data ?? {})];
}

function listValues(name: string, context: Record<string, unknown> | null): Array<[string, unknown]> {
  const flags = name === "flags" ? readFeatureFlags(context) : null;
  return flags ?? Object.entries(context ?? {});
}

function rank(name: string): number {
  const index = FIRST.indexOf(name);
  return index === -1 ? FIRST.length : index;
}
