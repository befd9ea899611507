import type { Project, ProjectKey } from "../domain/project.ts";
import { findServiceRule } from "../domain/service-rule.ts";
import type { DirectoryStore } from "../stores/state/directory-store.ts";
import { createOriginCheck, type OriginCheck } from "./allowed-origins.ts";
import type { IngestLog } from "./ingest-log.ts";
import type { QuotaLimiter } from "./quota-limiter.ts";

/** A client key, with the facts about its project that ingest needs. */
export interface KeyRingEntry {
  key: ProjectKey;
  project: Project;
  isOriginAllowed: OriginCheck;
  /** The key by which a service of OpenTelemetry counts as sent; null: no service goes elsewhere. */
  keyOfService: ((service: string) => ProjectKey) | null;
}

/** All client keys, in memory, so a lookup never waits. */
export interface KeyRing {
  find(publicKey: string): KeyRingEntry | undefined;
  /** False until the keys were read for the first time. */
  readonly isLoaded: boolean;
  /** Reads the keys again now, so that a change made through this process counts at once. */
  reload(): Promise<void>;
  close(): void;
}

export interface KeyRingOptions {
  directory: Pick<DirectoryStore, "listProjects" | "listKeys" | "version">;
  /** Read along with the keys. */
  quotas?: Pick<QuotaLimiter, "reload">;
  log: IngestLog;
  /** How often to look for changes made by another process, in milliseconds. */
  pollIntervalMs?: number;
}

const DEFAULT_POLL_INTERVAL_MS = 1000;

/** Starts empty: call `reload` before, or shortly after, the first request. */
export function createKeyRing({
  directory,
  quotas,
  log,
  pollIntervalMs = DEFAULT_POLL_INTERVAL_MS,
}: KeyRingOptions): KeyRing {
  let entries = new Map<string, KeyRingEntry>();
  let loadedVersion: number | null = null;
  let isClosed = false;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;

  async function load(): Promise<void> {
    // The version is read first: a change that comes in between is then loaded twice rather than never.
    const version = await directory.version();
    const [listed, keys] = await Promise.all([directory.listProjects(), directory.listKeys()]);
    await quotas?.reload();
    const projectById = new Map(listed.map((project) => [project.id, project]));
    const checkByProject = new Map(listed.map((project) => [project.id, createOriginCheck(project.allowedOrigins)]));
    const next = new Map<string, KeyRingEntry>();
    for (const key of keys) {
      const project = projectById.get(key.projectId);
      const isOriginAllowed = checkByProject.get(key.projectId);
      if (project && isOriginAllowed)
        next.set(key.publicKey, { key, project, isOriginAllowed, keyOfService: routeServices(key, project, keys) });
    }
    entries = next;
    loadedVersion = version;
  }

  /** Loads the keys. A caller that comes while a load runs gets the next load, which certainly includes its change. */
  function reload(): Promise<void> {
    if (running === null) {
      running = load().finally(() => {
        running = null;
      });
      return running;
    }
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = null;
        return reload();
      });
    return queued;
  }

  const timer = setInterval(async () => {
    try {
      if (running || (await directory.version()) === loadedVersion) return;
      await reload();
    } catch (error) {
      // The keys in memory stay good; the next poll tries again.
      if (!isClosed) log.error({ err: error }, "reading the client keys failed");
    }
  }, pollIntervalMs);
  timer.unref();

  return {
    find: (publicKey) => entries.get(publicKey),
    get isLoaded() {
      return loadedVersion !== null;
    },
    reload,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** A project without a key that may send takes nothing: its services stay with `key`. */
function routeServices(
  key: ProjectKey,
  { serviceRules }: Project,
  keys: readonly ProjectKey[],
): KeyRingEntry["keyOfService"] {
  const routes = serviceRules.flatMap(({ service, projectId }) => {
    const target = keys.find((each) => each.projectId === projectId && each.isEnabled);
    return target === undefined ? [] : [{ service, key: target }];
  });
  return routes.length === 0 ? null : (service) => findServiceRule(routes, service)?.key ?? key;
}
