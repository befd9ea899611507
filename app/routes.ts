import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

// The URL map. Machines' paths (/api/<digits>/…, /monitoring, /healthz, /readyz, /metrics) are answered before the router.
export default [
  index("routes/home.ts"),
  route("set-up", "routes/auth/set-up.tsx"),
  route("sign-in", "routes/auth/sign-in.tsx"),
  route("sign-out", "routes/auth/sign-out.ts"),
  route("theme", "routes/theme.ts"),
  route("error-feedback", "routes/error-feedback.ts"),
  // The whole web API: its own table says what is there (web-api/endpoints.ts).
  route("api/0/*", "routes/api/0/$.ts"),
  route("orgredirect/organizations/:org/settings/auth-tokens", "routes/settings/auth-tokens-redirect.ts"),
  ...["", "/issues/*", "/projects/*", "/releases/*"].map((path) =>
    route(`organizations/:org${path}`, "routes/sentry-path.ts", { id: `sentry-path${path}` }),
  ),
  // What pages fetch and people download.
  layout("routes/signed-in.ts", [
    route("live", "routes/live.ts"),
    route("events/:eventId/json", "routes/events/json.ts"),
    route("find", "routes/find.ts"),
    // Pages as text. An index with a slash at its end: only that ranks above the index of the page.
    { ...route("issues/:issueId.md/", "routes/issues/markdown.ts"), index: true },
    route("issues/:issueId/events/:eventId.md", "routes/events/markdown.ts"),
    route("events/:eventId.md", "routes/events/markdown.ts", { id: "event-markdown" }),
    route("releases/:version.md", "routes/releases/markdown.ts"),
    route("traces/:traceId.md", "routes/traces/markdown.ts"),
    route("traces/:traceId/rows", "routes/traces/rows.ts"),
    route("issues/:issueId/preview", "routes/issues/preview.ts"),
    route("issues/:issueId/state", "routes/issues/state.ts"),
    route("search-values", "routes/search-values.ts"),
    route("issue-news", "routes/issues/news.ts"),
    route("attachments/:eventId/:item", "routes/events/attachment.ts"),
  ]),
  layout("routes/app-layout.tsx", [
    route("issues", "routes/issues/list.tsx"),
    route("issues/:issueId", "routes/issues/detail.tsx", [
      index("routes/issues/event.tsx", { id: "issue-latest-event" }),
      route("events", "routes/issues/events.tsx"),
      route("tags", "routes/issues/tags.tsx"),
      route("events/:eventId", "routes/issues/event.tsx"),
    ]),
    route("events/:eventId", "routes/events/detail.tsx"),
    route("traces/:traceId", "routes/traces/detail.tsx"),
    route("releases", "routes/releases/list.tsx"),
    route("releases/:version/:tab?", "routes/releases/detail.tsx"),
    route("projects", "routes/projects/list.tsx"),
    route("projects/new", "routes/projects/new.tsx"),
    route("projects/:slug", "routes/projects/overview.tsx"),
    route("projects/:slug/set-up", "routes/projects/set-up.tsx"),
    route("projects/:slug/settings", "routes/projects/settings.tsx"),
    route("projects/:slug/source-maps", "routes/projects/source-maps.tsx"),
    route("projects/:slug/notifications", "routes/projects/notifications.tsx"),
    route("arrived", "routes/arrived.tsx"),
    route("settings", "routes/settings/account.tsx"),
    route("settings/tokens", "routes/settings/tokens.tsx"),
    route("settings/repositories", "routes/settings/repositories.tsx"),
    route("settings/deletions", "routes/settings/deletions.tsx"),
    route("settings/jobs", "routes/settings/jobs.tsx"),
    route("settings/storage", "routes/settings/storage.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
