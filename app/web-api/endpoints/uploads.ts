import { z } from "zod";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { requireNamedProjects } from "../find-named.server.ts";
import { versionText } from "../save-release.server.ts";
import { assembleArtifactBundle } from "../uploads/assemble-artifact-bundle.server.ts";
import type { AssembleAnswer } from "../uploads/assemble-chunks.server.ts";
import { addMappingArchive } from "../uploads/mapping-archive.server.ts";
import { assembleMapping, type DebugFile, mappingIdOf } from "../uploads/proguard-mappings.server.ts";
import { uploadChunks } from "../uploads/upload-chunks.server.ts";
import {
  CHUNK_BYTES,
  CHUNKS_PER_REQUEST,
  MAX_CHUNK_REQUEST_BYTES,
  MAX_CHUNKS_PER_UPLOAD,
  MAX_UPLOAD_BYTES,
  UPLOAD_CONCURRENCY,
} from "../uploads/upload-limits.ts";

const SCOPES: Endpoint["scopes"] = ["project:releases"];
const ORGANIZATION = "/organizations/{organization}";
const CHUNK_UPLOAD = `${ORGANIZATION}/chunk-upload/` as const;
const PROJECT = "/projects/{organization}/{project}";

const sha1 = z.string().regex(/^[0-9a-f]{40}$/, "must be a SHA-1: 40 lower-case hex characters");
const chunks = z.array(sha1).max(MAX_CHUNKS_PER_UPLOAD);
const bundle = z.object({
  checksum: sha1.describe("of the whole file"),
  chunks: chunks.describe("SHA-1s in order; none: only the state is asked for"),
  projects: z.array(z.string()).max(1000).optional(),
});

/** Debug files, by checksum. A large app has thousands. */
const debugFiles = z.record(sha1, z.object({ name: z.string().nullish(), debug_id: z.string().nullish(), chunks }));
const MAX_DEBUG_FILES_BYTES = 20_000_000;
/** Puts together one after the other, while the tool waits. */
const MAX_MAPPINGS = 100;
const NO_DEBUG_FILES =
  "Native debug files (dSYM, PDB, ELF, …) are not supported by this version of Culprit. Mappings of R8 and ProGuard are (sentry-cli upload-proguard), and source maps (sentry-cli sourcemaps upload).";

const state = z.enum(["not_found", "created", "assembling", "ok", "error"]);
const progress = z.object({ state, missingChunks: z.array(sha1), detail: z.string().nullable() });
const debugFile = z.object({
  id: z.string(),
  uuid: z.string(),
  debugId: z.string(),
  codeId: z.null(),
  cpuName: z.string(),
  objectName: z.string(),
  symbolType: z.string(),
  headers: z.record(z.string(), z.string()),
  size: z.int(),
  sha1,
  dateCreated: z.string(),
  data: z.object({ features: z.array(z.string()) }),
});
const assembled: EndpointAnswer = {
  what: "How far it is; what is missing is to be uploaded, and this to be asked again",
  json: progress,
};

export const UPLOAD_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: CHUNK_UPLOAD,
    scopes: SCOPES,
    summary: "The address, size limit and types of chunks.",
    answers: {
      200: {
        what: "Options",
        json: z.object({
          url: z.url(),
          chunkSize: z.int(),
          chunksPerRequest: z.int(),
          maxFileSize: z.int(),
          maxRequestSize: z.int(),
          maxWait: z.int(),
          concurrency: z.int(),
          hashAlgorithm: z.literal("sha1"),
          compression: z.array(z.literal("gzip")),
          accept: z.array(z.string()),
        }),
      },
    },
    handle({ baseUrl, organization }) {
      return answer({
        url: `${new URL(baseUrl).origin}/api/0/organizations/${organization.slug}/chunk-upload/`,
        chunkSize: CHUNK_BYTES,
        chunksPerRequest: CHUNKS_PER_REQUEST,
        maxFileSize: MAX_UPLOAD_BYTES,
        maxRequestSize: MAX_CHUNK_REQUEST_BYTES,
        maxWait: 0,
        concurrency: UPLOAD_CONCURRENCY,
        hashAlgorithm: "sha1",
        compression: ["gzip"],
        // If native debug files were not listed, tools would say that the server is too old. They are refused below, with a reason.
        accept: ["release_files", "artifact_bundles", "artifact_bundles_v2", "debug_files", "sources", "proguard"],
      });
    },
  }),
  endpoint({
    method: "POST",
    path: CHUNK_UPLOAD,
    scopes: SCOPES,
    summary: "Takes chunks. 503 with `Retry-After` while too many uploads run.",
    body: {
      multipart: {
        file: "A chunk, repeatable; its file name is the SHA-1 of its content",
        file_gzip: "A chunk, gzipped; its file name is the SHA-1 of what is inside",
      },
    },
    answers: { 200: { what: "All are stored", json: z.array(z.never()) } },
    async handle({ workspace, request }) {
      await uploadChunks(workspace, request);
      return answer([]);
    },
  }),
  endpoint({
    method: "POST",
    path: `${ORGANIZATION}/artifactbundle/assemble/`,
    scopes: SCOPES,
    summary: "Makes an artifact bundle of chunks.",
    body: { json: bundle.extend({ version: versionText.nullish(), dist: z.string().max(64).nullish() }) },
    answers: { 200: assembled },
    async handle({ workspace, caller, body, request, enterAgain, now }) {
      const projects = await requireNamedProjects(workspace, body.projects ?? []);
      if (projects.length === 0 && body.chunks.length > 0) throw refusal(400, "projects: name at least one project");
      const upload = {
        checksum: body.checksum,
        chunks: body.chunks,
        projects,
        version: body.version ?? null,
        dist: body.dist || null,
        uploadedBy: caller.tokenName,
        at: now,
      };
      return answer(await assembleArtifactBundle({ enterAgain, signal: request.signal }, upload));
    },
  }),
  endpoint({
    method: "POST",
    path: `${ORGANIZATION}/releases/{release}/assemble/`,
    scopes: SCOPES,
    summary:
      "Makes an artifact bundle of a release, as older tools do. It is for the release's projects unless it names others.",
    body: { json: bundle },
    answers: { 200: assembled },
    async handle({ workspace, caller, release, body: { checksum, chunks, projects }, request, enterAgain, now }) {
      const names = projects?.length ? projects : release.projects.map(({ projectId }) => projectId);
      const upload = {
        checksum,
        chunks,
        projects: await requireNamedProjects(workspace, names),
        version: release.version,
        dist: null,
        uploadedBy: caller.tokenName,
        at: now,
      };
      return answer(await assembleArtifactBundle({ enterAgain, signal: request.signal }, upload));
    },
  }),
  endpoint({
    method: "POST",
    path: `${PROJECT}/files/difs/assemble/`,
    scopes: SCOPES,
    summary:
      "Makes mappings of R8 and ProGuard of chunks, named `proguard/UUID.txt`. Native debug files are not supported yet: the state `error` and a detail.",
    body: { json: debugFiles, maxBytes: MAX_DEBUG_FILES_BYTES },
    answers: {
      200: { what: "By checksum", json: z.record(sha1, progress.extend({ dif: debugFile.nullable() })) },
    },
    async handle({ caller, project, body, request, enterAgain, now }) {
      const answers: Record<string, AssembleAnswer & { dif: DebugFile | null }> = {};
      let mappingCount = 0;
      for (const [checksum, { name, chunks }] of Object.entries(body)) {
        const debugId = mappingIdOf(name ?? "");
        if (debugId === null) {
          answers[checksum] = { state: "error", missingChunks: [], detail: NO_DEBUG_FILES, dif: null };
          continue;
        }
        mappingCount++;
        if (mappingCount > MAX_MAPPINGS) throw refusal(400, `name at most ${MAX_MAPPINGS} mappings at once`);
        const upload = { debugId, project, uploadedBy: caller.tokenName, at: now };
        answers[checksum] = await assembleMapping({ enterAgain, signal: request.signal }, { checksum, chunks }, upload);
      }
      return answer(answers);
    },
  }),
  endpoint({
    method: "POST",
    path: `${PROJECT}/files/dsyms/`,
    scopes: SCOPES,
    summary:
      "Takes an archive of mappings of R8 and ProGuard, as older tools send it. Native debug files are not supported yet: 400.",
    body: { multipart: { file: "A ZIP archive with `proguard/UUID.txt`" } },
    answers: { 200: { what: "The mappings", json: z.array(debugFile) } },
    async handle({ caller, project, request, enterAgain, now }) {
      const uploadedBy = caller.tokenName;
      return answer(await addMappingArchive({ project, request, enterAgain, uploadedBy, at: now }));
    },
  }),
  notSupported("GET", `${PROJECT}/files/dsyms/`, "Native debug files are"),
  notSupported("GET", `${PROJECT}/files/dsyms/unknown/`, "Native debug files are"),
  notSupported("POST", `${PROJECT}/files/proguard-artifact-releases/`, "Links of ProGuard mappings to releases are"),
  notSupported("POST", `${PROJECT}/reprocessing/`, "Reprocessing is"),
];

/** An endpoint that answers 400 with the reason. Tools show this text, but replace a 404 by words of their own. */
function notSupported(method: Endpoint["method"], path: string, whatIs: string): Endpoint {
  return endpoint({
    method,
    path,
    scopes: SCOPES,
    summary: `${whatIs} not supported yet: answered 400.`,
    answers: {},
    handle: () => refusal(400, `${whatIs} not supported by this version of Culprit.`),
  });
}
