import type { z } from "zod";
import type { Project } from "../../domain/project.ts";
import { MAX_RELEASE_LENGTH } from "../../domain/release-version.ts";
import type { Engine } from "../../engine/engine.ts";
import { answer, refusal } from "./answers.server.ts";
import { buildCheckBody, MAX_CHECKED_DEBUG_IDS } from "./endpoints/source-map-endpoints.ts";
import { readBody, readBytes } from "./read-body.server.ts";
import { checkBuildForApi, diagnoseEventForApi, diagnoseReleaseForApi } from "./source-map-doctor.server.ts";

const MAX_FORM_BYTES = 1_000_000;

/** What a query asks the doctor, and the answer. @throws a 400 answer that names the parameter, or 404. */
export async function answerDoctorQuestion(
  engine: Engine,
  { project, url }: { project: Project; url: URL },
): Promise<Response> {
  const query = url.searchParams;
  const debugIds = query.getAll("debugId");
  const eventId = query.get("event");
  const release = readVersion(query, "release");
  const dist = readVersion(query, "dist");
  if (eventId !== null) {
    if (debugIds.length > 0 || release !== null || dist !== null)
      throw refusal(400, "event: cannot be asked for together with release, dist or debugId");
    return answer(await diagnoseEventForApi(engine, { project, url }, eventId));
  }
  if (debugIds.length > 0) {
    if (dist !== null) throw refusal(400, "dist: debug ids need none");
    const checked = await checkBuildForApi(
      engine,
      { project, url },
      { debugIds: limitIds(debugIds), release },
      (index) => `debugId[${index}]`,
    );
    return answer(checked, { status: checked.ok ? 200 : 409 });
  }
  if (release === null)
    throw refusal(400, dist === null ? "name one of event, release and debugId" : "dist: needs a release beside it");
  return answer(await diagnoseReleaseForApi(engine, { project, url }, { release, dist }));
}

/**
 * The debug ids of a build: as JSON, or as the form that `curl --data` sends. `nameOf` says how the request calls one of them.
 * @throws a 400 answer that names the field, or 413.
 */
export async function readBuildCheck(
  request: Request,
): Promise<{ check: z.output<typeof buildCheckBody>; nameOf: (index: number) => string }> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(contentType.trim()))
    return { check: await readBody(request, buildCheckBody), nameOf: (index) => `debugIds[${index}]` };
  const form = new URLSearchParams((await readBytes(request, MAX_FORM_BYTES)).toString("utf8"));
  const debugIds = limitIds(form.getAll("debugId"));
  if (debugIds.length === 0)
    throw refusal(400, "debugId: there is none; was the build injected with debug ids, and is this its folder?");
  return { check: { debugIds, release: readVersion(form, "release") }, nameOf: (index) => `debugId[${index}]` };
}

function limitIds(debugIds: string[]): string[] {
  if (debugIds.length > MAX_CHECKED_DEBUG_IDS) throw refusal(400, `debugId: comes over ${MAX_CHECKED_DEBUG_IDS} times`);
  return debugIds;
}

/** An empty one is none. */
function readVersion(query: URLSearchParams, name: "release" | "dist"): string | null {
  const text = query.get(name) || null;
  if (text !== null && text.length > MAX_RELEASE_LENGTH)
    throw refusal(400, `${name}: is longer than ${MAX_RELEASE_LENGTH} characters`);
  return text;
}
