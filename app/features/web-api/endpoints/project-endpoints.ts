import { z } from "zod";
import type { Endpoint } from "../endpoint.ts";
import { id, instant, projectBrief } from "./shapes.ts";

const organization = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  dateCreated: instant,
  status: z.object({ id: z.string(), name: z.string() }),
  isEarlyAdopter: z.boolean(),
  require2FA: z.boolean(),
  requireEmailVerification: z.boolean(),
  avatar: z.object({ avatarType: z.string(), avatarUuid: z.null() }),
  features: z.array(z.string()),
});

const project = z.object({
  ...projectBrief.shape,
  dateCreated: instant,
  firstEvent: instant.nullable(),
  status: z.literal("active"),
  isPublic: z.boolean(),
  isBookmarked: z.boolean(),
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  features: z.array(z.string()),
  options: z.record(z.string(), z.string()),
  scrapeJavaScript: z.boolean(),
  allowedDomains: z.array(z.string()),
  organization: z.object({ id, slug: z.string(), name: z.string() }),
  teams: z.array(z.never()),
  team: z.null(),
});

const rateLimit = z.object({ count: z.int(), window: z.int().describe("seconds") });

const key = z.object({
  id,
  name: z.string(),
  label: z.string(),
  public: z.string(),
  projectId: z.int(),
  isActive: z.boolean(),
  rateLimit: rateLimit.nullable(),
  dsn: z.object({ public: z.url(), security: z.url(), csp: z.url() }),
  dateCreated: instant,
});

const projectChange = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  platform: z.string().optional(),
  scrapeJavaScript: z.boolean().optional().describe("whether source maps that nobody uploaded are fetched"),
  allowedDomains: z.array(z.string()).optional(),
});

const keyChange = z.object({
  name: z.string().optional(),
  rateLimit: rateLimit.nullish(),
  isActive: z.boolean().optional(),
});

export const PROJECT_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/openapi.json",
    scopes: "public",
    summary: "This document.",
    answers: { 200: { what: "OpenAPI 3.1", json: z.looseObject({ openapi: z.string() }) } },
  },
  {
    method: "GET",
    path: "/",
    scopes: [],
    summary: "Whether this is the API, who the token belongs to, and what it may do.",
    answers: {
      200: {
        what: "The caller",
        json: z.object({
          version: z.literal("0"),
          auth: z.object({ scopes: z.array(z.string()) }).nullable(),
          user: z.object({ id, email: z.string(), username: z.string(), name: z.string() }).nullable(),
        }),
      },
    },
  },
  {
    method: "GET",
    path: "/organizations/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization, as a list.",
    answers: { 200: { what: "Organizations", json: z.array(organization) } },
  },
  {
    method: "GET",
    path: "/organizations/{organization}/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization.",
    answers: { 200: { what: "The organization", json: organization } },
  },
  {
    method: "GET",
    path: "/projects/",
    scopes: ["project:read", "project:releases"],
    summary: "All projects.",
    answers: { 200: { what: "Projects", json: z.array(project) } },
  },
  {
    method: "GET",
    path: "/organizations/{organization}/projects/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "All projects.",
    answers: { 200: { what: "Projects", json: z.array(project) } },
  },
  {
    method: "POST",
    path: "/organizations/{organization}/projects/",
    scopes: ["project:write"],
    summary: "Makes a project, with one key.",
    body: { json: projectChange.extend({ name: z.string() }) },
    answers: { 201: { what: "The project", json: project } },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/",
    scopes: ["project:read", "project:releases"],
    summary: "One project.",
    answers: { 200: { what: "The project", json: project } },
  },
  {
    method: "PUT",
    path: "/projects/{organization}/{project}/",
    scopes: ["project:write"],
    summary: "Changes a project.",
    body: { json: projectChange },
    answers: { 200: { what: "The project", json: project } },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/keys/",
    scopes: ["project:read"],
    summary: "The DSN keys of a project.",
    answers: { 200: { what: "Keys", json: z.array(key) } },
  },
  {
    method: "POST",
    path: "/projects/{organization}/{project}/keys/",
    scopes: ["project:write"],
    summary: "Makes a DSN key.",
    body: { json: keyChange },
    answers: { 201: { what: "The key", json: key } },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/keys/{key}/",
    scopes: ["project:read"],
    summary: "One DSN key, by its number or its public key.",
    answers: { 200: { what: "The key", json: key } },
  },
  {
    method: "PUT",
    path: "/projects/{organization}/{project}/keys/{key}/",
    scopes: ["project:write"],
    summary: "Renames, limits, disables or enables a key.",
    body: { json: keyChange },
    answers: { 200: { what: "The key", json: key } },
  },
  {
    method: "DELETE",
    path: "/projects/{organization}/{project}/keys/{key}/",
    scopes: ["project:admin"],
    summary: "Deletes a key.",
    answers: { 204: { what: "Deleted", json: null } },
  },
];
