/** Endpoints that tools ask for and that do not exist, with advice. Tools show the sentence to their users. */
const ABSENT: ReadonlyArray<{ method: string; path: RegExp; detail: string }> = [
  {
    method: "GET",
    path: /^\/organizations\/[^/]+\/(issues\/[^/]+\/integrations|sentry-app-installations)\//,
    detail:
      "Culprit has no integrations and no Sentry Apps. Link the issue to a task on its page, or POST the task's webUrl to external-issues/ of the issue.",
  },
  {
    method: "GET",
    path: /^\/organizations\/[^/]+\/issues\/[^/]+\/autofix\/$/,
    detail: "Culprit has no Seer: nothing here explains an issue or plans its fix.",
  },
  {
    method: "GET",
    path: /^\/organizations\/[^/]+\/dashboards\//,
    detail: "Culprit has no dashboards. Its pages and saved views take their place.",
  },
  {
    method: "GET",
    path: /^\/organizations\/[^/]+\/(ai-conversations|agents\/conversations)\//,
    detail: "Culprit has no list of conversations with agents. Their spans are found in the dataset spans.",
  },
  {
    method: "GET",
    path: /^\/organizations\/[^/]+\/profiling\//,
    detail:
      "Culprit draws profiles on their pages, and the API gives them only as they were sent. A page is /events/ and the id of the profile or profiler.",
  },
  {
    method: "POST",
    path: /^\/organizations\/[^/]+\/org-auth-tokens\/$/,
    detail: "The API makes no tokens. An owner or manager makes them in Culprit: Settings, Tokens.",
  },
];

const NO_SUCH_PATH = "Culprit has nothing at this path of the API. /api/0/openapi.json lists what there is.";

/** The sentence for a path without an endpoint. A plain "Not found" would read as if the thing itself were missing. */
export function sayNoPath(method: string, path: string): string {
  return findAbsent(method, path) ?? NO_SUCH_PATH;
}

export function sayNoMethod(method: string, path: string): string {
  return findAbsent(method, path) ?? `Method "${method}" not allowed.`;
}

function findAbsent(method: string, path: string): string | undefined {
  return ABSENT.find((absent) => absent.method === method && absent.path.test(path))?.detail;
}
