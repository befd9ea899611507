import { z } from "zod";
import { MAX_RELEASE_LENGTH } from "../../domain/release-version.ts";
import { answer, refusal } from "../answers.ts";
import { buildCheckAnswer, eventDoctorAnswer, releaseDoctorAnswer } from "../doctor-answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { codeMappings, codeMappingsAnswer, saveCodeMappings } from "../save-code-mappings.server.ts";
import { checkBuild, diagnoseEvent, diagnoseRelease } from "../source-map-doctor.server.ts";

/** The most debug ids in one check: as many as a very large build has files. */
const MAX_CHECKED_DEBUG_IDS = 5_000;

const version = z.string().max(MAX_RELEASE_LENGTH).optional();
const debugIds = z.array(z.string()).max(MAX_CHECKED_DEBUG_IDS);

const question = z.object({
  event: z.string().optional().describe("Id of an event: its frames, step by step"),
  release: version.describe("What its events wait for and what was uploaded; with `debugId`: what the build is for"),
  dist: version.describe("With `release`"),
  debugId: debugIds.default([]).describe(`Repeatable, at most ${MAX_CHECKED_DEBUG_IDS}: checks these`),
});
const build = z.object({
  debugIds: debugIds.min(1, "must name at least one debug id"),
  release: z.string().min(1).max(MAX_RELEASE_LENGTH).nullish(),
});
const buildForm = z.object({
  debugId: z
    .array(z.string(), "there is none; was the build injected with debug ids, and is this its folder?")
    .max(MAX_CHECKED_DEBUG_IDS),
  release: version,
});

const DOCTOR = "/projects/{organization}/{project}/sourcemaps/doctor/";
const MISSING: EndpointAnswer = { what: "At least one debug id has no source map", json: buildCheckAnswer };

export const SOURCE_MAP_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: DOCTOR,
    scopes: ["project:read"],
    summary:
      "Why frames of an event are not readable; what a release waits for; or whether debug ids of a build are there.",
    query: question,
    answers: {
      200: { what: "What was asked for", json: z.union([eventDoctorAnswer, releaseDoctorAnswer, buildCheckAnswer]) },
      409: MISSING,
    },
    async handle({ workspace, project, url, query: { event, release, dist, debugId } }) {
      const whose = { project, url };
      if (event !== undefined) {
        if (debugId.length > 0 || release !== undefined || dist !== undefined)
          throw refusal(400, "event: cannot be asked for together with release, dist or debugId");
        return answer(await diagnoseEvent(workspace, whose, event));
      }
      if (debugId.length > 0) {
        if (dist !== undefined) throw refusal(400, "dist: debug ids need none");
        const check = { debugIds: debugId, release: release ?? null, field: "debugId" } as const;
        return answerCheck(await checkBuild(workspace, whose, check));
      }
      if (release === undefined)
        throw refusal(
          400,
          dist === undefined ? "name one of event, release and debugId" : "dist: needs a release beside it",
        );
      return answer(await diagnoseRelease(workspace, whose, { release, dist: dist ?? null }));
    },
  }),
  endpoint({
    method: "POST",
    path: DOCTOR,
    // A token for uploads may also check whether all files have come.
    scopes: ["project:read", "project:releases"],
    summary: "Checks the debug ids of a build. JSON, or a form with `debugId` (repeatable) and `release`.",
    body: { json: build, form: buildForm },
    answers: { 200: { what: "Every debug id has its source map", json: buildCheckAnswer }, 409: MISSING },
    async handle({ workspace, project, url, body }) {
      const release = body.release ?? null;
      const check =
        "debugId" in body
          ? ({ debugIds: body.debugId, release, field: "debugId" } as const)
          : ({ debugIds: body.debugIds, release, field: "debugIds" } as const);
      return answerCheck(await checkBuild(workspace, { project, url }, check));
    },
  }),
  endpoint({
    method: "POST",
    path: "/organizations/{organization}/code-mappings/bulk/",
    scopes: ["project:releases", "project:write"],
    summary:
      "Adds mappings from paths in stacks to folders of the project's repository, or changes those with the same stack root. New ones are tried after those that are there, and before one for any path.",
    body: { json: codeMappings },
    answers: { 200: { what: "What became of each, in their order", json: codeMappingsAnswer } },
    handle: async ({ workspace, body }) => answer(await saveCodeMappings(workspace, body)),
  }),
];

/** Status 409 makes `curl --fail-with-body` fail a pipeline and show what is missing. */
function answerCheck(checked: z.input<typeof buildCheckAnswer>): Response {
  return answer(checked, { status: checked.ok ? 200 : 409 });
}
