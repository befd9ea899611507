import { index, layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";

/** The same for releases of the organization, and of one project. */
function releaseRoutes(base: string, id: string): RouteConfigEntry[] {
  const release = `${base}/releases/:version`;
  const below = (path: string, name: string) =>
    route(`${release}${path}`, `routes/api/0/${name}.ts`, { id: `${id}-${name}` });
  return [
    route(`${base}/releases`, "routes/api/0/releases.ts", { id: `${id}-releases` }),
    below("", "release"),
    below("/commits", "release-commits"),
    below("/previous-with-commits", "release-previous-with-commits"),
    below("/deploys", "release-deploys"),
    below("/files", "release-files"),
    below("/files/:file", "release-file"),
  ];
}

// The URL map. Machines' paths (/api/<digits>/…, /monitoring, /healthz, /readyz, /metrics) are answered before the router.
export default [
  index("routes/home.ts"),
  route("set-up", "routes/auth/set-up.tsx"),
  route("sign-in", "routes/auth/sign-in.tsx"),
  route("sign-out", "routes/auth/sign-out.ts"),
  route("theme", "routes/theme.ts"),
  route("live", "routes/live.ts"),
  route("error-feedback", "routes/error-feedback.ts"),
  route("api/0", "routes/api/0/authorized.ts", [
    index("routes/api/0/index.ts"),
    route("organizations", "routes/api/0/organizations.ts"),
    route("organizations/:org", "routes/api/0/organization.ts"),
    route("organizations/:org/projects", "routes/api/0/organization-projects.ts"),
    route("organizations/:org/issues", "routes/api/0/issues.ts", { id: "api-organization-issues" }),
    route("organizations/:org/issues/:issue", "routes/api/0/issue.ts", { id: "api-organization-issue" }),
    route("organizations/:org/issues/:issue/events", "routes/api/0/issue-events.ts", {
      id: "api-organization-issue-events",
    }),
    route("organizations/:org/issues/:issue/events/:event", "routes/api/0/issue-event.ts", {
      id: "api-organization-issue-event",
    }),
    route("organizations/:org/eventids/:event", "routes/api/0/event-id.ts"),
    route("organizations/:org/stats_v2", "routes/api/0/stats-v2.ts"),
    route("organizations/:org/events", "routes/api/0/organization-events.ts"),
    route("organizations/:org/repos", "routes/api/0/repos.ts"),
    route("organizations/:org/repos/:repository", "routes/api/0/repo.ts"),
    route("organizations/:org/monitors", "routes/api/0/monitors.ts"),
    route("organizations/:org/chunk-upload", "routes/api/0/chunk-upload.ts"),
    route("organizations/:org/artifactbundle/assemble", "routes/api/0/artifact-bundle-assemble.ts"),
    route("organizations/:org/code-mappings/bulk", "routes/api/0/code-mappings.ts"),
    ...releaseRoutes("organizations/:org", "api-organization"),
    route("organizations/:org/releases/:version/assemble", "routes/api/0/release-assemble.ts"),
    route("issues/:issue", "routes/api/0/issue.ts", { id: "api-issue" }),
    route("issues/:issue/events", "routes/api/0/issue-events.ts", { id: "api-issue-events" }),
    route("issues/:issue/events/:event", "routes/api/0/issue-event.ts", { id: "api-issue-event" }),
    route("projects", "routes/api/0/projects.ts"),
    route("projects/:org/:project", "routes/api/0/project.ts"),
    route("projects/:org/:project/keys", "routes/api/0/keys.ts"),
    route("projects/:org/:project/keys/:key", "routes/api/0/key.ts"),
    route("projects/:org/:project/issues", "routes/api/0/issues.ts", { id: "api-project-issues" }),
    route("projects/:org/:project/events", "routes/api/0/project-events.ts"),
    route("projects/:org/:project/events/:event", "routes/api/0/project-event.ts"),
    route("projects/:org/:project/events/:event/json", "routes/api/0/project-event-json.ts"),
    route("projects/:org/:project/sourcemaps/doctor", "routes/api/0/source-map-doctor.ts"),
    ...releaseRoutes("projects/:org/:project", "api-project"),
    route("projects/:org/:project/files/difs/assemble", "routes/api/0/debug-files-assemble.ts"),
    route("projects/:org/:project/files/dsyms", "routes/api/0/not-supported.ts", { id: "api-dsyms" }),
    route("projects/:org/:project/files/dsyms/unknown", "routes/api/0/not-supported.ts", { id: "api-unknown-dsyms" }),
    route("projects/:org/:project/files/proguard-artifact-releases", "routes/api/0/not-supported.ts", {
      id: "api-proguard",
    }),
    route("projects/:org/:project/reprocessing", "routes/api/0/not-supported.ts", { id: "api-reprocessing" }),
    route("openapi.json", "routes/api/0/openapi.ts"),
    route("*", "routes/api/0/not-found.ts"),
  ]),
  route("orgredirect/organizations/:org/settings/auth-tokens", "routes/settings/auth-tokens-redirect.ts"),
  route("events", "routes/events/find.ts"),
  route("events/:eventId/json", "routes/events/json.ts"),
  route("issues/:issueId/preview", "routes/issues/preview.ts"),
  route("issues/:issueId/state", "routes/issues/state.ts"),
  route("search-values", "routes/search-values.ts"),
  route("issue-news", "routes/issues/news.ts"),
  route("attachments/:eventId/:item", "routes/events/attachment.ts"),
  layout("routes/app-layout.tsx", [
    route("issues", "routes/issues/list.tsx"),
    route("issues/:issueId", "routes/issues/detail.tsx", [
      index("routes/issues/event.tsx", { id: "issue-latest-event" }),
      route("events", "routes/issues/events.tsx"),
      route("events/:eventId", "routes/issues/event.tsx"),
    ]),
    route("events/:eventId", "routes/events/detail.tsx"),
    route("releases", "routes/releases/list.tsx"),
    route("releases/:version/:tab?", "routes/releases/detail.tsx"),
    route("projects", "routes/projects/list.tsx"),
    route("projects/new", "routes/projects/new.tsx"),
    route("projects/:slug", "routes/projects/detail.tsx"),
    route("projects/:slug/settings", "routes/projects/settings.tsx"),
    route("projects/:slug/source-maps", "routes/projects/source-maps.tsx"),
    route("arrived", "routes/arrived.tsx"),
    route("settings", "routes/settings/account.tsx"),
    route("settings/tokens", "routes/settings/tokens.tsx"),
    route("settings/repositories", "routes/settings/repositories.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
