import type { IncomingMessage, ServerResponse } from "node:http";

/** Half a year: browsers then use https for this host by themselves, also for the first request of a visit. */
const HTTPS_ONLY = `max-age=${180 * 24 * 60 * 60}`;

/** Sets the headers of every page. The policy for scripts goes out with the document, which knows its nonce (entry.server.tsx). */
export function setSecurityHeaders(
  req: Pick<IncomingMessage, "headers">,
  res: Pick<ServerResponse, "setHeader">,
  reach: { publicUrl: string | null; trustProxy: boolean },
): void {
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("x-frame-options", "DENY");
  res.setHeader("referrer-policy", "same-origin");
  res.setHeader("cross-origin-opener-policy", "same-origin");
  if (isHttps(req, reach)) res.setHeader("strict-transport-security", HTTPS_ONLY);
}

/** A trusted proxy knows how the browser came; without its word, `PUBLIC_URL` tells. Browsers ignore the header over http. */
function isHttps(
  { headers }: Pick<IncomingMessage, "headers">,
  { publicUrl, trustProxy }: { publicUrl: string | null; trustProxy: boolean },
): boolean {
  const forwarded = trustProxy ? headers["x-forwarded-proto"] : undefined;
  if (forwarded !== undefined) return String(forwarded).split(",", 1)[0]?.trim().toLowerCase() === "https";
  return publicUrl?.startsWith("https:") === true;
}
