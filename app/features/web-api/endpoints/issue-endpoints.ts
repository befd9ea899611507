import { z } from "zod";
import { MAX_RELEASE_LENGTH } from "../../../domain/release-version.ts";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import { id, instant, projectBrief } from "./shapes.ts";

const issue = z.object({
  id,
  shareId: z.null(),
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.url(),
  logger: z.string().nullable(),
  level: z.string(),
  status: z.enum(["unresolved", "resolved", "ignored"]),
  statusDetails: z.looseObject({}),
  substatus: z.string().nullable(),
  isPublic: z.boolean(),
  platform: z.string(),
  project: projectBrief,
  type: z.string(),
  metadata: z.object({ type: z.string().optional(), value: z.string().optional(), title: z.string() }),
  numComments: z.int(),
  assignedTo: z.null(),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  subscriptionDetails: z.null(),
  hasSeen: z.boolean(),
  annotations: z.array(z.never()),
  issueType: z.string(),
  issueCategory: z.string(),
  isUnhandled: z.boolean(),
  count: z.string().regex(/^\d+$/),
  userCount: z.int(),
  firstSeen: instant,
  lastSeen: instant,
  stats: z.object({ "24h": z.array(z.tuple([z.number(), z.int()])) }).optional(),
});

/** What tools send to change issues; older words included. */
export const issueChangeBody = z.object({
  status: z.enum(["resolved", "resolvedInNextRelease", "unresolved", "reopened", "ignored", "archived", "muted"]),
  statusDetails: z
    .object({
      inNextRelease: z.boolean().optional(),
      inRelease: z.string().min(1).max(MAX_RELEASE_LENGTH).optional().describe("a version, or `latest`"),
      inCommit: z.object({ commit: z.string().min(1).max(64), repository: z.string().max(200) }).optional(),
    })
    .nullish(),
  snoozeDuration: z.number().nullish().describe("not used: archived issues stay archived"),
});

export type StatusDetails = NonNullable<z.output<typeof issueChangeBody>["statusDetails"]>;

const issueList: EndpointAnswer = { what: "Issues", json: z.array(issue) };
const oneIssue: EndpointAnswer = { what: "The issue", json: issue };
const changed: EndpointAnswer = {
  what: "What the issues are now, how many were meant, and how many of them were something else before",
  json: z.object({
    status: z.string(),
    statusDetails: z.looseObject({}),
    matchingCount: z.int(),
    changedCount: z.int(),
  }),
};

const FILTER_QUERY = {
  environment: "Repeatable",
  statsPeriod: "Like `24h` or `14d`; or `start` and `end`",
  start: "RFC 3339",
  end: "RFC 3339",
};
const LIST_QUERY = {
  query: "Search, as on the issue list; without it `is:unresolved`",
  sort: "`date`, `new`, `freq` or `user`",
  ...FILTER_QUERY,
  limit: "1 to 100",
  cursor: "From the `Link` header",
};

export const ISSUE_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/organizations/{organization}/issues/",
    scopes: ["event:read"],
    summary: "Issues of all projects.",
    query: { ...LIST_QUERY, project: "Number or slug, repeatable; -1 for all" },
    answers: { 200: issueList },
  },
  {
    method: "PUT",
    path: "/organizations/{organization}/issues/",
    scopes: ["event:write"],
    summary: "Changes the issues named by id, or all that match the query.",
    query: {
      id: "Repeatable; or `query`",
      query: "Search, as on the issue list; empty: all",
      project: "Number or slug, repeatable; -1 for all",
      ...FILTER_QUERY,
    },
    body: { json: issueChangeBody },
    answers: { 200: changed },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/issues/",
    scopes: ["event:read"],
    summary: "Issues of a project.",
    query: LIST_QUERY,
    answers: { 200: issueList },
  },
  {
    method: "PUT",
    path: "/projects/{organization}/{project}/issues/",
    scopes: ["event:write"],
    summary:
      "Changes issues of a project: those named by id, else all that match the query and the status, or simply all.",
    query: {
      id: "Repeatable",
      query: "Search, as on the issue list, when no id is given; without it, all",
      status: "Those that have it, when no id is given",
      ...FILTER_QUERY,
    },
    body: { json: issueChangeBody },
    answers: { 200: changed },
  },
  ...(["/issues/{issue}/", "/organizations/{organization}/issues/{issue}/"] as const).flatMap((path): Endpoint[] => [
    {
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "One issue, by number or short id.",
      answers: { 200: oneIssue },
    },
    {
      method: "PUT",
      path,
      scopes: ["event:write"],
      summary: "Changes an issue.",
      body: { json: issueChangeBody },
      answers: { 200: oneIssue },
    },
  ]),
];
