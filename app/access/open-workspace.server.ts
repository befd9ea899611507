import { setTimeout as sleep } from "node:timers/promises";
import { API_SCOPES } from "../domain/api-token.ts";
import { isApplied, type NumberedJournal, readPositions } from "../domain/journal-positions.ts";
import { listSeenProjects, seesEverything } from "../domain/people/access.ts";
import { narrowRights } from "../domain/people/roles.ts";
import { includesProject, makeScope, type Right, type Scope } from "../domain/scope.ts";
import type { User } from "../domain/user.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import { isNotingLostRows } from "../stores/events/event-rebuild.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { isDamagedPayload } from "../stores/payload-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Engine } from "./engine.ts";
import type { Workspace } from "./workspace.ts";

/** Longer than the digest takes for any batch, and short enough for a person who waits for a page. */
const MAX_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 10;

/**
 * Opens the workspace of a person or a token. A member gets the projects that they see, with those of `rights` that the role allows. A
 * token of the organization (`user` null) gets all projects.
 * @throws if the server is not set up, and for a person who is no member.
 */
export async function openWorkspace(
  engine: Engine,
  { user, rights }: { user: User | null; rights: readonly Right[] },
): Promise<Workspace> {
  const { state, events, feed, settings } = engine;
  const organization = await state.people.getOrganization();
  if (!organization) throw new Error("there is no workspace before the server is set up");
  const access = user && (await state.people.getAccess(user.id));
  if (user && !access) throw new Error(`user ${user.id} is no member`);
  const all = await state.directory.listProjectIds();
  const scope = makeScope({
    organizationId: 1,
    projectIds: access ? listSeenProjects(access, all) : all,
    rights: access ? narrowRights(access.role, rights, API_SCOPES) : rights,
  });
  return {
    scope,
    organization,
    user,
    seesEverything: access === null || seesEverything(access),
    state,
    events,
    payloads: withoutDamage(engine.payloads),
    blobs: engine.blobs,
    chunks: engine.chunks,
    live: narrowFeed(feed, scope),
    logTail: {
      journalId: engine.logTail.journalId,
      position: engine.logTail.position,
      open: (request) => engine.logTail.open(request, user === null ? "organization" : `user ${user.id}`),
    },
    whenEventsStored: () => waitForErrors(engine),
    whenAllStored: () => waitForEvents(engine),
    symbolicate: engine.symbolicate,
    readBundle: engine.readBundle,
    sourceMapPass: engine.sourceMapPass,
    monitoringProjectId: engine.monitoringProjectId,
    isPending: (eventId) => engine.isPending(eventId, scope.projectIds),
    hasAccepted: (eventId) => engine.hasAccepted(eventId, scope.projectIds),
    rebuild: engine.rebuild,
    storage: {
      last: engine.storage.last,
      lostDays: engine.storage.lostDays,
      sumByProject: async () =>
        (await engine.storage.sumByProject()).filter(({ projectId }) => includesProject(scope, projectId)),
      isWhole: access === null || seesEverything(access),
    },
    backlog: engine.backlog,
    acceptEnvelope: engine.acceptEnvelope,
    exchangeWithLocation: engine.exchangeWithLocation,
    quotaUses: (projectId) =>
      projectId === null || includesProject(scope, projectId) ? engine.quotaUses(projectId) : [],
    reloadKeys: engine.reloadKeys,
    hideDeleted: () => Promise.race([engine.hideDeleted(), sleep(MAX_WAIT_MS)]),
    findUserData: engine.findUserData,
    testPrivacy: async (projectId, settings) =>
      scope.projectIds.includes(projectId) ? await engine.testPrivacy(projectId, settings) : null,
    previewGrouping: async (texts, narrowing) =>
      scope.projectIds.includes(texts.projectId) ? await engine.previewGrouping(texts, narrowing) : null,
    listSplitValues: async (issue) =>
      scope.projectIds.includes(issue.projectId) ? await engine.listSplitValues(issue) : { eventCount: 0, choices: [] },
    notifications: {
      ...engine.notifications,
      findOwnerEmail: async () => (await state.people.getOwner())?.email ?? null,
    },
    settings: {
      publicUrl: settings.publicUrl,
      neutralPath: settings.neutralPath,
      retention: settings.retention,
      proxySignIn: settings.proxySignIn,
      allowsPrivateChecks: settings.allowsPrivateChecks,
      version: settings.version,
    },
  };
}

/** Reads a damaged payload as null. A page that explains why can ask for the reason itself. */
function withoutDamage(payloads: Pick<EventPayloads, "read" | "readEvent">): Workspace["payloads"] {
  const nullOfDamage = (error: unknown) => {
    if (isDamagedPayload(error)) return null;
    throw error;
  };
  return {
    read: (ref) => payloads.read(ref).catch(nullOfDamage),
    readEvent: (ref) => payloads.readEvent(ref).catch(nullOfDamage),
    isEventDamaged: (ref) => payloads.readEvent(ref).then(() => false, isDamagedPayload),
  };
}

/** The feed without messages about projects outside of the scope. */
function narrowFeed(feed: Engine["feed"], scope: Scope): Workspace["live"] {
  return {
    lastPublishedAt: feed.lastPublishedAt,
    subscribe: (listener) =>
      feed.subscribe((message) => {
        if (message.kind === "first-event") {
          if (includesProject(scope, message.projectId)) listener(message);
          return;
        }
        const keep = <Change extends { projectId: number }>(changes: Change[]) =>
          changes.filter(({ projectId }) => includesProject(scope, projectId));
        const narrowed =
          message.kind === "issues"
            ? { ...message, changes: keep(message.changes) }
            : { ...message, changes: keep(message.changes) };
        if (narrowed.changes.length > 0) listener(narrowed);
      }),
  };
}

interface AwaitedStores {
  state: Pick<State, "batches">;
  events: Pick<EventStore, "appliedSequence" | "rebuild">;
  journals: readonly NumberedJournal[];
}

/** See `Workspace.whenEventsStored`. */
export function waitForErrors({ state, events, journals }: AwaitedStores): Promise<void> {
  return waitForEvents({ state, events, journals: journals.slice(0, 1) });
}

/** See `Workspace.whenAllStored`. */
export async function waitForEvents({ state, events, journals }: AwaitedStores): Promise<void> {
  // Missing rows will not be there in time.
  if (isNotingLostRows(events)) return;
  const wanted = await readPositions(state.batches, journals);
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; waitedMs < MAX_WAIT_MS; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if (await isApplied(events, journals, wanted)) return;
    await sleep(pauseMs);
    waitedMs += pauseMs;
  }
}
