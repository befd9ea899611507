/** Services where teams keep their tasks. */
export const TRACKERS = ["github", "gitlab", "jira", "linear"] as const;
export type TrackerKind = (typeof TRACKERS)[number];

export const TRACKER_LABELS: Readonly<Record<TrackerKind, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  jira: "Jira",
  linear: "Linear",
};

export interface Tracker {
  kind: TrackerKind;
  /** The page of the repository, team or site; of Jira the address of its create page may name `pid` and `issuetype`. */
  address: string;
}

const MAX_TRACKER_URL_LENGTH = 1_000;
/** Links of one issue to other trackers. */
export const MAX_EXTERNAL_ISSUES = 20;
/** Trackers refuse longer addresses. */
const MAX_FORM_URL_LENGTH = 6_000;

/** An address of the web, or null. */
export function toWebUrl(text: string): URL | null {
  const url = text.length > MAX_TRACKER_URL_LENGTH ? null : URL.parse(text.trim());
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url && isWeb && url.username === "" && url.password === "" ? url : null;
}

/** The tracker of an address, by its host; `kind` where somebody has chosen one. Null: no tracker that is known. */
export function toTracker(text: string, kind?: TrackerKind): Tracker | null {
  const url = toWebUrl(text);
  const found = kind ?? (url && toKind(url.hostname));
  return url && found ? { kind: found, address: url.href } : null;
}

function toKind(host: string): TrackerKind | null {
  if (host.includes("github")) return "github";
  if (host.includes("gitlab")) return "gitlab";
  if (host.endsWith(".atlassian.net") || host.includes("jira")) return "jira";
  return host === "linear.app" || host === "linear.new" ? "linear" : null;
}

/** The address of the tracker's form for a new issue, filled in. */
export function toFormUrl({ kind, address }: Tracker, { title, body }: { title: string; body: string }): string {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, "");
  url.hash = "";
  const fields: Record<TrackerKind, [path: string, title: string, body: string]> = {
    github: [`${path}/issues/new`, "title", "body"],
    gitlab: [`${path}/-/issues/new`, "issue[title]", "issue[description]"],
    jira: ["/secure/CreateIssueDetails!init.jspa", "summary", "description"],
    linear: [url.hostname === "linear.new" ? "/" : `${path}/new`, "title", "description"],
  };
  const [formPath, titleField, bodyField] = fields[kind];
  url.pathname = formPath;
  url.searchParams.set(titleField, title);
  let text = body;
  url.searchParams.set(bodyField, text);
  while (url.href.length > MAX_FORM_URL_LENGTH && text !== "") {
    text = text.slice(0, Math.floor(text.length / 2));
    url.searchParams.set(bodyField, text);
  }
  return url.href;
}

/** The usual name of an issue in a tracker: `acme/shop#12`, `SHOP-12`. Otherwise its host and path. */
export function toExternalName(url: URL): string {
  const numbered = /^\/(.+?)(?:\/-)?\/(?:issues|work_items|merge_requests|pull)\/(\d+)/.exec(url.pathname);
  if (numbered) return `${decode(numbered[1] ?? "")}#${numbered[2]}`.slice(0, 100);
  const keyed = /\/(?:browse|issue)\/([A-Za-z][A-Za-z0-9_]*-\d+)/.exec(url.pathname)?.[1];
  return (keyed ?? `${url.host}${decode(url.pathname)}`).slice(0, 100);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
