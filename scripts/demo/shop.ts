import { DAY_MS } from "../../app/domain/time.ts";
import type { Random } from "./random.ts";

export type DemoProject = "web" | "api" | "billing";

export const PROJECTS = [
  { slug: "web", name: "Web", platform: "javascript-react" },
  { slug: "api", name: "API", platform: "python-django" },
  { slug: "billing", name: "Billing", platform: "node" },
] as const;

/** The SDK that each project's traces and logs come from. */
export const SDKS: Readonly<Record<DemoProject, { name: string; version: string; platform: string }>> = {
  web: { name: "sentry.javascript.react", version: "10.75.2", platform: "javascript" },
  api: { name: "sentry.python.django", version: "2.44.0", platform: "python" },
  billing: { name: "sentry.javascript.node", version: "10.75.2", platform: "node" },
};

/** Oldest first; `daysAgo`: when it reached production. It was in staging a day earlier. */
export const RELEASES = [
  { version: "shop@2.14.0", daysAgo: 13.6 },
  { version: "shop@2.14.1", daysAgo: 8.3 },
  { version: "shop@2.15.0", daysAgo: 2.4 },
] as const;

const STAGING_SHARE = 0.12;

/** The environment and release of an event at an instant. */
export function placeAt(at: number, now: number, random: Random): { environment: string; release: string } {
  const isStaging = random.next() < STAGING_SHARE;
  const aheadMs = isStaging ? DAY_MS : 0;
  const running = RELEASES.findLast(({ daysAgo }) => now - daysAgo * DAY_MS - aheadMs <= at) ?? RELEASES[0];
  return { environment: isStaging ? "staging" : "production", release: running.version };
}

/** The plan of a customer, as the shop writes it into tags. `tier` is its word in attributes. */
export function planOf({ id }: { id: string }): { plan: "pro" | "free" | "free trial"; tier: "gold" | "basic" } {
  if (Number(id) % 4 === 1) return { plan: "pro", tier: "gold" };
  return { plan: Number(id) % 4 === 2 ? "free trial" : "free", tier: "basic" };
}

/** Picks one of the customers. Most of them come rarely. */
export function pickCustomer(random: Random): { id: string; email: string } {
  const id = Math.floor(random.next() ** 1.5 * 240);
  return { id: String(id), email: `customer${id}@example.com` };
}
