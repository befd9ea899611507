import { z } from "zod";
import { cleanReleaseVersion, MAX_RELEASE_LENGTH } from "../../../domain/release-version.ts";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import { instant } from "./shapes.ts";

/** Commits of one call. Tools send 20 unless told otherwise. */
const MAX_COMMITS = 5000;

export const versionText = z
  .string()
  .trim()
  .refine(
    (version) => cleanReleaseVersion(version) !== null,
    `must have 1 to ${MAX_RELEASE_LENGTH} characters, no slash or line break, and not be a dot, two dots or "latest"`,
  );

const instantIn = z.iso.datetime({ offset: true, local: true, error: "must be a date and time of RFC 3339" });
const projectName = z.union([z.string(), z.int()]).describe("slug or number");
const urlIn = z.string().max(2000).nullish();

const commitIn = z.object({
  id: z.string().min(1).max(64),
  repository: z.string().max(200).nullish(),
  author_name: z.string().nullish(),
  author_email: z.string().nullish(),
  timestamp: instantIn.nullish(),
  message: z.string().nullish(),
  patch_set: z.array(z.object({ path: z.string(), type: z.string().describe("`A`, `M` or `D`") })).nullish(),
});
export type CommitIn = z.output<typeof commitIn>;

const refIn = z.object({
  repository: z.string().max(200),
  commit: z.string().min(1).max(64),
  previousCommit: z.string().max(64).nullish(),
});

const releaseFields = {
  projects: z.array(projectName).max(1000).optional(),
  ref: z.string().max(250).nullish(),
  url: urlIn,
  status: z.enum(["open", "archived"]).nullish(),
  dateStarted: instantIn.nullish(),
  dateReleased: instantIn.nullish(),
  refs: z
    .array(refIn)
    .max(100)
    .nullish()
    .describe(
      "the newest commit of each repository, where no list is sent: nothing is fetched from there. An empty list takes the commits away",
    ),
  commits: z
    .array(commitIn)
    .max(MAX_COMMITS)
    .nullish()
    .describe("newest first; takes the place of those that are there"),
};

export const releaseChangeBody = z.object(releaseFields);
export const newReleaseBody = z.object({ version: versionText, ...releaseFields });
export type ReleaseChange = z.output<typeof releaseChangeBody>;

export const newDeployBody = z.object({
  environment: z.string().min(1).max(64),
  name: z.string().max(200).nullish(),
  url: urlIn,
  dateStarted: instantIn.nullish(),
  dateFinished: instantIn.nullish(),
  projects: z.array(projectName).nullish().describe("those that were deployed; without it all of the release"),
});

const deploy = z.object({
  id: z.string(),
  projects: z.array(z.string()).describe("slugs of those that were deployed"),
  environment: z.string(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  dateStarted: instant.nullable(),
  dateFinished: instant,
});

const author = z.object({ name: z.string().nullable(), email: z.string().nullable() });

const release = z.object({
  id: z.int(),
  version: z.string(),
  shortVersion: z.string(),
  status: z.enum(["open", "archived"]),
  ref: z.string().nullable(),
  url: z.string().nullable(),
  dateCreated: instant,
  dateStarted: instant.nullable(),
  dateReleased: instant.nullable(),
  firstEvent: instant.nullable(),
  lastEvent: instant.nullable(),
  newGroups: z.int(),
  commitCount: z.int(),
  deployCount: z.int(),
  lastCommit: z.object({ id: z.string() }).nullable(),
  refs: z.array(
    z.object({
      repository: z.string(),
      commit: z.string(),
      previousCommit: z.string().nullable(),
      hasCommits: z.boolean().describe("whether the commits between the two are known"),
    }),
  ),
  lastDeploy: deploy.nullable(),
  authors: z.array(author),
  owner: z.null(),
  data: z.object({}),
  projects: z.array(
    z.object({ id: z.int(), slug: z.string(), name: z.string(), platform: z.string(), newGroups: z.int() }),
  ),
  versionInfo: z.object({
    package: z.string().nullable(),
    version: z.object({ raw: z.string() }),
    description: z.string(),
    buildHash: z.string().nullable(),
  }),
});

const commit = z.object({
  id: z.string(),
  message: z.string(),
  dateCreated: instant,
  author,
  repository: z.object({ name: z.string() }).nullable(),
});

const oneRelease: EndpointAnswer = { what: "The release", json: release };

/** The same for a release of the organization, and of one project. */
function endpointsBelow(base: string, whose: string): Endpoint[] {
  const path = `${base}/releases/`;
  const one = `${path}{version}/`;
  const read: Endpoint["scopes"] = ["project:releases", "project:read"];
  const write: Endpoint["scopes"] = ["project:releases"];
  return [
    {
      method: "GET",
      path,
      scopes: read,
      summary: `Releases of ${whose}, newest first.`,
      query: {
        query: "Part of the version",
        sort: "`date` or `semver`",
        status: "`open` or `archived`; both without it",
        per_page: "1 to 100",
        cursor: "From the `Link` header",
      },
      answers: { 200: { what: "Releases", json: z.array(release) } },
    },
    {
      method: "POST",
      path,
      scopes: write,
      summary: "Makes a release, or adds to the one that is there.",
      body: { json: newReleaseBody },
      answers: { 201: oneRelease, 208: { what: "It was there; the release as it is now", json: release } },
    },
    { method: "GET", path: one, scopes: read, summary: "One release.", answers: { 200: oneRelease } },
    {
      method: "PUT",
      path: one,
      scopes: write,
      summary: "Changes a release: finalizes, archives, sets its commits.",
      body: { json: releaseChangeBody },
      answers: { 200: oneRelease },
    },
    {
      method: "DELETE",
      path: one,
      scopes: write,
      summary: "Deletes a release that no event names; its artifacts stay. 400 when an event names it.",
      answers: { 204: { what: "Deleted", json: null } },
    },
    {
      method: "GET",
      path: `${one}commits/`,
      scopes: read,
      summary: "Commits of a release, newest first, at most 1,000.",
      answers: { 200: { what: "Commits", json: z.array(commit) } },
    },
    {
      method: "GET",
      path: `${one}previous-with-commits/`,
      scopes: read,
      summary: "The release before it that has commits; an empty object when there is none.",
      answers: { 200: { what: "A release, or an empty object", json: z.union([release, z.strictObject({})]) } },
    },
    {
      method: "GET",
      path: `${one}deploys/`,
      scopes: read,
      summary: "Deploys of a release, newest first.",
      answers: { 200: { what: "Deploys", json: z.array(deploy) } },
    },
    {
      method: "POST",
      path: `${one}deploys/`,
      scopes: write,
      summary: "Notes a deploy.",
      body: { json: newDeployBody },
      answers: { 201: { what: "The deploy", json: deploy } },
    },
  ];
}

export const RELEASE_ENDPOINTS: readonly Endpoint[] = [
  ...endpointsBelow("/organizations/{organization}", "the organization"),
  ...endpointsBelow("/projects/{organization}/{project}", "a project"),
];
