import type { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import { narrowScope } from "../domain/scope.ts";
import type { StackPlace } from "../domain/symbolication.ts";
import { type CheckedDebugId, checkDebugIds, listIds } from "../features/source-maps/check-debug-ids.server.ts";
import { toExplainContext } from "../features/source-maps/explain-context.server.ts";
import { type EventDoctor, explainEvent } from "../features/source-maps/explain-event.ts";
import { listWanted } from "../features/source-maps/get-source-maps-page.server.ts";
import { describeMissingMap, listMissingMapFixes } from "../features/source-maps/group-missing-maps.ts";
import type { StepFact } from "../features/source-maps/step-facts.ts";
import type { Fix } from "../symbolicate/explain-report.ts";
import { toDebugId } from "../symbolicate/source-map.ts";
import { type ExplainContext, injectCommand, uploadCommand, withDashes } from "../symbolicate/upload-command.ts";
import { refusal, toIso } from "./answers.ts";
import type { buildCheckAnswer, eventDoctorAnswer, releaseDoctorAnswer } from "./doctor-answers.ts";
import { requireStoredEvent } from "./get-event.server.ts";

interface Question {
  project: Project;
  /** The address of the request. The commands in the answer use it, unless the server has an address in its configuration. */
  url: URL;
}

const MAX_UPLOADS = 100;
const MAX_NAMED_IDS = 5;

/** Explains each frame of an event, step by step. @throws a 404 answer. */
export async function diagnoseEvent(
  workspace: Workspace,
  { project, url }: Question,
  eventId: string,
): Promise<z.input<typeof eventDoctorAnswer>> {
  const { row, stored } = await requireStoredEvent(workspace, { projectId: project.id, issueId: null, eventId });
  const mapped = await workspace.symbolicate(stored, { projectId: project.id, withDiagnosis: true });
  const { report } = mapped;
  const doctor = explainEvent(
    mapped.stored.event,
    report,
    await toExplainContext(workspace, { projectId: project.id, url }),
  );
  return {
    eventID: row.eventId,
    release: report.release,
    dist: report.dist,
    ...serializeDoctor(doctor),
  };
}

function serializeDoctor({ files, frames, causes, failure, retrace }: EventDoctor) {
  const isRetraced = retrace === null || retrace.state === "found";
  return {
    ok: failure === null && isRetraced && frames.every(({ isUnreadable }) => !isUnreadable),
    summary: causes.map(({ text }) => text),
    fixes: causes[0]?.fixes ?? [],
    failure,
    retrace: retrace && {
      ...retrace,
      mappings: retrace.mappings.map(({ debugId, state, text, uploadedAt }) => ({
        debugId,
        state,
        text,
        dateUploaded: uploadedAt === null ? null : toIso(uploadedAt),
      })),
    },
    files: files.map(({ absPath, report, isMapped, summary, steps, facts, fixes }) => ({
      absPath,
      frames: report.frameCount,
      mapped: isMapped,
      summary,
      steps: steps.map(({ step, state, text }) => ({ step, state, text, facts: toRecord(facts, step) })),
      fixes,
    })),
    frames: frames.map(({ report, summary, isUnreadable }) => ({
      stack: describePlace(report.place),
      frame: report.frameIndex,
      file: report.fileIndex,
      lineno: report.lineno,
      colno: report.colno,
      state: report.mapping.state,
      readable: !isUnreadable,
      text: summary,
      source: report.mapping.source,
      sourceLine: report.mapping.lineno,
      sourceColumn: report.mapping.colno,
    })),
  };
}

function toRecord(facts: readonly StepFact[], step: StepFact["step"]): Record<string, string[]> {
  return Object.fromEntries(facts.filter((fact) => fact.step === step).map(({ name, values }) => [name, values]));
}

function describePlace({ kind, index }: StackPlace): string {
  return kind === "stacktrace" ? "stacktrace" : `${kind}[${index}]`;
}

/** The source maps that events of a release lack, and the uploads of the release. `dist` null: of every dist. */
export async function diagnoseRelease(
  workspace: Workspace,
  { project, url }: Question,
  { release, dist }: { release: string; dist: string | null },
): Promise<z.input<typeof releaseDoctorAnswer>> {
  const [wanted, { bundles }, context] = await Promise.all([
    listWanted(workspace, project, { release, dist }),
    workspace.state.artifacts.listArtifactBundles(narrowScope(workspace.scope, [project.id]), {
      release,
      cursor: null,
      limit: MAX_UPLOADS,
    }),
    toExplainContext(workspace, { projectId: project.id, url }),
  ]);
  return {
    release,
    dist,
    ok: wanted.count === 0,
    wantedCount: wanted.count,
    wanted: wanted.items.map((item) => ({
      type: item.type,
      debugId: item.debugId && withDashes(item.debugId),
      releases: item.releases,
      events: item.eventCount,
      issues: item.issues.map(({ shortId }) => shortId),
      issueCount: item.issueIds.length,
      firstSeen: toIso(item.firstSeenAt),
      lastSeen: toIso(item.lastSeenAt),
      sampleUrl: item.sampleUrl,
      uploaded: item.isUploaded,
      text: describeMissingMap(item, item),
      fixes: listMissingMapFixes(item, item, context),
    })),
    uploads: bundles
      .filter(
        ({ releases }) => dist === null || releases.some((each) => each.version === release && each.dist === dist),
      )
      .map(({ id, uploadedAt, uploadedBy, fileCount, bytes, releases }) => ({
        id: String(id),
        dateUploaded: toIso(uploadedAt),
        uploadedBy,
        files: fileCount,
        bytes,
        releases,
      })),
  };
}

/** Checks whether the source maps of a build are there. `field`: the name of the ids in the request. @throws a 400 answer that names the field. */
export async function checkBuild(
  workspace: Workspace,
  { project, url }: Question,
  { debugIds: texts, release, field }: { debugIds: string[]; release: string | null; field: "debugId" | "debugIds" },
): Promise<z.input<typeof buildCheckAnswer>> {
  const ids = texts.map((text, index) => {
    const id = toDebugId(text);
    if (id === null)
      throw refusal(400, `${field}[${index}]: "${text.slice(0, 80)}" is no debug id, which has 32 hexadecimal digits`);
    return id;
  });
  const checked = await checkDebugIds(workspace, project.id, [...new Set(ids)]);
  const lacking = checked.filter(({ state }) => state !== "found" && state !== "skipped");
  const context = await toExplainContext(workspace, { projectId: project.id, url });
  return {
    ok: lacking.length === 0,
    detail: describeCheck(checked, lacking),
    release,
    debugIds: checked.map(({ debugId, state, text, file }) => ({
      debugId: withDashes(debugId),
      state,
      text,
      url: file && (file.url ?? file.path),
      dateUploaded: file && toIso(file.uploadedAt),
    })),
    fixes: lacking.length === 0 ? [] : listBuildFixes(context, release),
  };
}

function describeCheck(checked: readonly CheckedDebugId[], lacking: readonly CheckedDebugId[]): string {
  const all = `${checked.length} ${checked.length === 1 ? "debug id" : "debug ids"}`;
  if (lacking.length === 0) return `All source maps are there, of ${all}.`;
  return `${lacking.length} of ${all} ${lacking.length === 1 ? "has" : "have"} no source map here that can be used: ${listIds(lacking, MAX_NAMED_IDS)}`;
}

function listBuildFixes(context: ExplainContext, release: string | null): Fix[] {
  return [
    {
      text: "Upload the folder that was built, with the .js and the .map files together, before it is deployed:",
      command: [injectCommand(), uploadCommand(context, { release })].join("\n"),
    },
  ];
}
