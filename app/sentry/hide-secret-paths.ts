/** Routes whose last part is a secret: a link with it acts for somebody, or shows something, without signing in. */
export const SECRET_PATHS = ["act", "change-email", "invitation", "reset-password", "share/issue"] as const;

const SECRET = new RegExp(
  `((?:/|%2F)(?:${SECRET_PATHS.map((path) => path.replace("/", "(?:/|%2F)")).join("|")})(?:/|%2F))[\\w.~-]+`,
  "gi",
);
/** What single sign-on brings back, and the code of the set-up page. A query may stand alone. */
const SECRET_PARAMETER = /((?:^|[?&])(?:code|state|token)=)[^&\s"#]+/g;

/** The text without the secrets in its addresses. */
export function hideSecretPaths(text: string): string {
  return text.replace(SECRET, "$1[hidden]").replace(SECRET_PARAMETER, "$1[hidden]");
}

/**
 * What the server and its pages report of themselves, without secrets in addresses: everybody who sees the server's own project would
 * otherwise get links of others. Changes what it is given, which has no circles outside of `sdkProcessingMetadata`.
 */
export function hideSecrets<Reported extends object>(reported: Reported): Reported {
  for (const [key, value] of Object.entries(reported)) {
    if (key === "sdkProcessingMetadata") continue;
    if (typeof value === "string") (reported as Record<string, unknown>)[key] = hideSecretPaths(value);
    else if (typeof value === "object" && value !== null) hideSecrets(value);
  }
  return reported;
}
