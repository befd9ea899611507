/** The parts of a policy violation that its message needs. Absent values are empty. */
export interface CspViolation {
  /** The effective directive's first word, lower case. */
  directive: string;
  violatedDirective: string;
  blockedUri: string;
  documentUri: string;
}

/** Every directive a report may name (protocol 3.1), with the noun that its message uses. */
const KIND_BY_DIRECTIVE: ReadonlyMap<string, string> = new Map([
  ["base-uri", "base"],
  ["block-all-mixed-content", "mixed content"],
  ["child-src", "child"],
  ["connect-src", "connect"],
  ["default-src", "resource"],
  ["fenced-frame-src", "fenced frame"],
  ["font-src", "font"],
  ["form-action", "form"],
  ["frame-ancestors", "frame ancestor"],
  ["frame-src", "frame"],
  ["img-src", "image"],
  ["manifest-src", "manifest"],
  ["media-src", "media"],
  ["navigate-to", "navigation"],
  ["object-src", "object"],
  ["plugin-types", "plugin"],
  ["prefetch-src", "prefetch"],
  ["referrer", "referrer"],
  ["report-to", "report"],
  ["report-uri", "report"],
  ["require-sri-for", "resource without integrity"],
  ["require-trusted-types-for", "untyped value"],
  ["sandbox", "sandboxed action"],
  ["script-src", "script"],
  ["script-src-attr", "script"],
  ["script-src-elem", "script"],
  ["style-src", "style"],
  ["style-src-attr", "style"],
  ["style-src-elem", "style"],
  ["trusted-types", "trusted type"],
  ["upgrade-insecure-requests", "insecure request"],
  ["worker-src", "worker"],
]);

export function isKnownDirective(directive: string): boolean {
  return KIND_BY_DIRECTIVE.has(directive);
}

/** One line for people: `Blocked 'image' from 'cdn.example.com'`, `Blocked unsafe inline 'script'`. */
export function cspMessage(violation: CspViolation): string {
  const kind = KIND_BY_DIRECTIVE.get(violation.directive) ?? violation.directive;
  const source = blockedSource(violation);
  if (kind === "script" || kind === "style") {
    if (source === "inline") return `Blocked unsafe inline '${kind}'`;
    if (source === "eval") return `Blocked unsafe eval() '${kind}'`;
    // The browser does not say what the page's own code did; the policy sometimes does.
    if (source === "self") {
      const mentionsInline = violation.violatedDirective.includes("'unsafe-inline'");
      const mentionsEval = violation.violatedDirective.includes("'unsafe-eval'");
      if (mentionsInline && !mentionsEval) return `Blocked unsafe inline '${kind}'`;
      if (mentionsEval && !mentionsInline) return `Blocked unsafe eval() '${kind}'`;
      return kind === "script" ? "Blocked unsafe (eval() or inline) 'script'" : "Blocked unsafe inline 'style'";
    }
  }
  return `Blocked '${kind}' from '${source}'`;
}

/** The text beside the directive in the culprit, as a policy would write it: a keyword, a scheme or the blocked host. */
export function cspValueLabel(violation: CspViolation): string {
  const source = blockedSource(violation);
  if (source === "inline") return "'unsafe-inline'";
  if (source === "eval") return "'unsafe-eval'";
  return source === "self" ? "'self'" : source;
}

/** `self`, `inline`, `eval`, a scheme with its colon, or a host. */
function blockedSource({ blockedUri, documentUri }: CspViolation): string {
  const uri = blockedUri.trim();
  if (uri === "" || uri === "self") return "self";
  if (uri === "inline") return "inline";
  if (uri === "eval" || uri === "wasm-eval") return "eval";
  const url = URL.parse(uri);
  // Bare words are schemes (`data`, `blob`) or keywords of newer policies.
  if (!url)
    return /^[a-z][a-z-]*$/.test(uri) && !uri.includes("trusted-types") ? `${uri}:` : uri.slice(0, 200).toWellFormed();
  if (url.host === "") return url.protocol;
  return url.host === URL.parse(documentUri)?.host ? "self" : url.host;
}
