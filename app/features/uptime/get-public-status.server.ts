import type { Workspace } from "../../access/workspace.ts";
import { compareNames } from "../../domain/compare-names.ts";
import { narrowScope, type Right } from "../../domain/scope.ts";
import {
  firstDayOf,
  type PublicMonitor,
  STATUS_PAGE_LIMITS,
  STATUS_SLUG,
  type StatusPage,
  toPublicMonitor,
} from "../../domain/uptime/status-page.ts";
import type { StatusPageLinks } from "../../stores/state/status-page-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";

export interface PublicStatus {
  title: string;
  monitors: PublicMonitor[];
  /** The time to which the status refers, in milliseconds since 1970. */
  at: number;
}

export type PublicStatusAnswer =
  | { ok: true; status: PublicStatus }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/** What is needed before there is a scope. */
interface StatusEntrance {
  readonly statusPageLinks: StatusPageLinks;
  openWorkspace(who: { user: null; rights: readonly Right[] }): Promise<Workspace>;
}

/** For so long the same reading is shown to everybody, so that a crowd costs as much as one person. */
export const STATUS_KEPT_SECONDS = 30;
/** The limit of readings, by address of the client. */
const LOOKS = new AttemptCounter({ maxAttempts: 120, windowMs: 60_000 });
const MAX_KEPT = 100;

/** Readings by the content of their page. A changed page has no reading yet, so it is read again. */
const kept = new Map<string, { status: Promise<PublicStatus | null>; until: number }>();

/** The status that anybody with the address can see. */
export async function getPublicStatus(
  entrance: StatusEntrance,
  { slug, clientAddress, now }: { slug: string; clientAddress: string | null; now: number },
): Promise<PublicStatusAnswer> {
  const who = clientAddress ?? "unknown";
  const retryAfterSeconds = LOOKS.retryAfterSeconds(who, now);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many", retryAfterSeconds };
  LOOKS.record(who, now);
  const page = STATUS_SLUG.test(slug) ? await entrance.statusPageLinks.findStatusPage(slug) : null;
  const status = page && (await keep(page, now, () => read(entrance, page, now)));
  return status ? { ok: true, status } : { ok: false, reason: "gone" };
}

function keep(page: StatusPage, now: number, readNow: () => Promise<PublicStatus | null>) {
  const key = JSON.stringify(page);
  const known = kept.get(key);
  if (known && now < known.until && known.until <= now + STATUS_KEPT_SECONDS * 1_000) return known.status;
  const status = readNow();
  kept.delete(key);
  kept.set(key, { status, until: now + STATUS_KEPT_SECONDS * 1_000 });
  // A failed reading is not kept, so the next request tries again.
  status.catch(() => kept.delete(key));
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return status;
}

/** Null: the project does not exist any more. */
async function read(entrance: StatusEntrance, page: StatusPage, now: number): Promise<PublicStatus | null> {
  const workspace = await entrance.openWorkspace({ user: null, rights: ["event:read"] });
  const { uptime } = workspace.state;
  const scope = narrowScope(workspace.scope, [page.projectId]);
  if (scope.projectIds.length === 0) return null;
  const [all, days] = await Promise.all([
    uptime.listUptimeMonitors(scope, { projectId: page.projectId }),
    uptime.listUptimeDays(scope, page.monitorIds, firstDayOf(now)),
  ]);
  const monitors = await Promise.all(
    all
      .filter(({ id }) => page.monitorIds.includes(id))
      .sort((a, b) => compareNames(a.settings.name, b.settings.name))
      .map(async (monitor) =>
        toPublicMonitor(monitor, {
          days: days.get(monitor.id) ?? [],
          outages: await uptime.listUptimeOutages(scope, monitor.id, STATUS_PAGE_LIMITS.outages),
          showsAddresses: page.showsAddresses,
          now,
        }),
      ),
  );
  return { title: page.title, monitors, at: now };
}
