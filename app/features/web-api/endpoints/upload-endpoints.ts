import { z } from "zod";
import { MAX_ROOT_LENGTH } from "../../../domain/code-mapping.ts";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import { MAX_CHUNKS_PER_UPLOAD } from "../upload-limits.ts";
import { versionText } from "./release-endpoints.ts";
import { instant } from "./shapes.ts";

const sha1 = z.string().regex(/^[0-9a-f]{40}$/, "must be a SHA-1: 40 lower-case hex characters");
const dist = z.string().max(64).nullish();
const chunks = z.array(sha1).max(MAX_CHUNKS_PER_UPLOAD, `has over ${MAX_CHUNKS_PER_UPLOAD} entries`);

export const assembleArtifactBundleBody = z.object({
  checksum: sha1.describe("of the whole file"),
  chunks: chunks.describe("SHA-1s in order; none: only the state is asked for"),
  projects: z.array(z.string()).max(1000).optional(),
  version: versionText.nullish(),
  dist,
});

export const assembleReleaseBundleBody = z.object({ checksum: sha1, chunks, projects: z.array(z.string()).optional() });

export const assembleDebugFilesBody = z.record(
  sha1,
  z.object({ name: z.string().nullish(), debug_id: z.string().nullish(), chunks }),
);

/** As sentry-cli cuts a file of mappings. */
const MAX_MAPPINGS_OF_CALL = 300;
const root = z.string().max(MAX_ROOT_LENGTH);

export const codeMappingsBody = z.object({
  project: z.string().describe("slug or number"),
  repository: z.string().min(1).max(200).describe("like acme/shop"),
  defaultBranch: z.string().max(MAX_ROOT_LENGTH).nullish(),
  mappings: z
    .array(
      z.object({
        stackRoot: root.describe("what paths in stacks begin with"),
        sourceRoot: root.describe("folder of the repository"),
      }),
    )
    .min(1)
    .max(MAX_MAPPINGS_OF_CALL),
});

const codeMappingsAnswer = z.object({
  created: z.int(),
  updated: z.int(),
  errors: z.int(),
  mappings: z.array(
    z.object({
      stackRoot: z.string(),
      sourceRoot: z.string(),
      status: z.enum(["created", "updated", "error"]),
      detail: z.string().optional().describe("only of an error"),
    }),
  ),
});
export type CodeMappingsAnswer = z.output<typeof codeMappingsAnswer>;

const state = z.enum(["not_found", "created", "assembling", "ok", "error"]);
const assembled: EndpointAnswer = {
  what: "How far it is; what is missing is to be uploaded, and this to be asked again",
  json: z.object({ state, missingChunks: z.array(sha1), detail: z.string().nullable() }),
};

const releaseFile = z.object({
  id: z.string(),
  name: z.string(),
  dist: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  size: z.int(),
  sha1: z.string(),
  dateCreated: instant,
});

function releaseFileEndpoints(base: string): Endpoint[] {
  const path = `${base}/releases/{version}/files/`;
  return [
    {
      method: "GET",
      path,
      scopes: ["project:releases"],
      summary: "Files that were uploaded one by one for a release, and those in its artifact bundles.",
      query: { cursor: "From the `Link` header", query: "Part of the name, repeatable" },
      answers: { 200: { what: "Files", json: z.array(releaseFile) } },
    },
    {
      method: "POST",
      path,
      scopes: ["project:releases"],
      summary: "Uploads one file of a release, as older tools do. 409 when there is one of that name.",
      body: {
        multipart: {
          file: "The file",
          name: "Its URL, like ~/assets/app.js; the file's own name without it",
          dist: "Distribution",
          header: "`name:value`, repeatable: `sourcemap` and `debug-id` are used",
        },
      },
      answers: { 201: { what: "The file", json: releaseFile } },
    },
    {
      method: "GET",
      path: `${path}{file}/`,
      scopes: ["project:releases"],
      summary: "What is known of one file, or the file itself.",
      query: { download: "`1`: the file itself, as it was uploaded" },
      answers: { 200: { what: "The file", json: releaseFile, isFile: true } },
    },
    {
      method: "DELETE",
      path: `${path}{file}/`,
      scopes: ["project:releases"],
      summary: "Deletes a file that was uploaded by itself. 400 for one in an artifact bundle.",
      answers: { 204: { what: "Deleted", json: null } },
    },
  ];
}

/** What is not there is answered 400 with a detail that says so: tools show it, where they hide a 404. */
function refused(method: Endpoint["method"], path: string, what: string): Endpoint {
  return {
    method,
    path,
    scopes: ["project:releases"],
    summary: `${what}: not supported yet, answered 400.`,
    answers: {},
  };
}

const PROJECT = "/projects/{organization}/{project}";
const ORGANIZATION = "/organizations/{organization}";

export const UPLOAD_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path: `${ORGANIZATION}/chunk-upload/`,
    scopes: ["project:releases"],
    summary: "Where chunks go, how large they may be, and what is accepted.",
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
  },
  {
    method: "POST",
    path: `${ORGANIZATION}/chunk-upload/`,
    scopes: ["project:releases"],
    summary: "Takes chunks. 503 with `Retry-After` while too many others are being taken.",
    body: {
      multipart: {
        file: "A chunk, repeatable; its file name is the SHA-1 of its content",
        file_gzip: "A chunk, gzipped; its file name is the SHA-1 of what is inside",
      },
    },
    answers: { 200: { what: "All are stored", json: z.array(z.never()) } },
  },
  {
    method: "POST",
    path: `${ORGANIZATION}/artifactbundle/assemble/`,
    scopes: ["project:releases"],
    summary: "Makes an artifact bundle of chunks.",
    body: { json: assembleArtifactBundleBody },
    answers: { 200: assembled },
  },
  {
    method: "POST",
    path: `${ORGANIZATION}/releases/{version}/assemble/`,
    scopes: ["project:releases"],
    summary: "Makes an artifact bundle of a release, as older tools do.",
    body: { json: assembleReleaseBundleBody },
    answers: { 200: assembled },
  },
  ...releaseFileEndpoints(ORGANIZATION),
  ...releaseFileEndpoints(PROJECT),
  {
    method: "POST",
    path: `${PROJECT}/files/difs/assemble/`,
    scopes: ["project:releases"],
    summary: "Native debug files: answered with the state `error` and a detail, as there is no support for them yet.",
    body: { json: assembleDebugFilesBody },
    answers: {
      200: {
        what: "By checksum",
        json: z.record(
          sha1,
          z.object({ state, missingChunks: z.array(sha1), detail: z.string().nullable(), dif: z.null() }),
        ),
      },
    },
  },
  refused("GET", `${PROJECT}/files/dsyms/`, "List of native debug files"),
  refused("POST", `${PROJECT}/files/dsyms/`, "Upload of native debug files"),
  refused("GET", `${PROJECT}/files/dsyms/unknown/`, "Question for native debug files"),
  refused("POST", `${PROJECT}/files/proguard-artifact-releases/`, "ProGuard mappings"),
  refused("POST", `${PROJECT}/reprocessing/`, "Reprocessing"),
  {
    method: "POST",
    path: `${ORGANIZATION}/code-mappings/bulk/`,
    scopes: ["project:releases", "project:write"],
    summary:
      "Adds mappings from paths in stacks to folders of the project's repository, or changes those with the same stack root. New ones are tried after those that are there, and before one for any path.",
    body: { json: codeMappingsBody },
    answers: { 200: { what: "What became of each, in their order", json: codeMappingsAnswer } },
  },
];

export type ReleaseFileAnswer = z.output<typeof releaseFile>;
