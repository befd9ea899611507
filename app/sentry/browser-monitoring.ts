/** What the page tells its own SDK; the server writes it into the document's head. */
export interface BrowserMonitoring {
  dsn: string;
  /** First-party path through which everything is sent. */
  tunnelPath: string;
  release: string;
  environment: string;
  /** 0 to 1. */
  tracesSampleRate: number;
}

const META_NAME = "culprit-monitoring";

/** A `<meta>` tag that holds it. */
export function renderMonitoringMeta(monitoring: BrowserMonitoring): string {
  return `<meta name="${META_NAME}" content="${escapeAttribute(JSON.stringify(monitoring))}"/>`;
}

/** Null when the server does not want to be told, as before it is set up. */
export function findBrowserMonitoring(document: Document): BrowserMonitoring | null {
  const content = document.querySelector(`meta[name="${META_NAME}"]`)?.getAttribute("content");
  return content ? JSON.parse(content) : null;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** A fault as the browser announced it, from before the SDK could see it. */
export interface EarlyFault {
  error: unknown;
  type: "onerror" | "onunhandledrejection";
}
