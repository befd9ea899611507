import type { SentryEvent } from "../../domain/event.ts";
import { cleanFilename } from "./clean-names.ts";
import { keyPart } from "./key.ts";
import { platformFamily } from "./platform-family.ts";

/** The parts by which a report or template error is grouped: names and values as they are shown, in the order of the key. */
export type Detail = [name: string, value: string];

/** Key of named values; the names are part of it. */
export function detailsKey(kind: string, details: readonly Detail[]): string {
  return keyPart("K", kind) + details.map(([name, value]) => keyPart("d", name) + keyPart("v", value)).join("");
}

/** The effective directive and the blocked source: a host, a scheme, or the keyword for the page's own code. Null: it is no report. */
export function cspDetails({ csp, request }: SentryEvent): Detail[] | null {
  if (csp === undefined) return null;
  const directive = firstWord(textOf(csp.effective_directive) || textOf(csp.violated_directive));
  if (directive === "") return null;
  const documentUri = textOf(csp.document_uri) || (request?.url ?? "");
  const isScript = directive.startsWith("script-src") || directive === "default-src";
  const blocked = blockedSource(textOf(csp.blocked_uri), documentUri);
  const source = blocked === "'self'" && isScript ? ofOwnCode(textOf(csp.violated_directive)) : blocked;
  return [
    ["directive", directive],
    ["blocked", source],
  ];
}

const SECURITY_REPORT_KINDS = ["hpkp", "expectct", "expectstaple", "nel"] as const;
export type SecurityReportKind = (typeof SECURITY_REPORT_KINDS)[number];

/** The other kinds of reports, by the host that they are about. Null: no report. */
export function securityReportDetails(event: SentryEvent): { kind: SecurityReportKind; details: Detail[] } | null {
  for (const kind of SECURITY_REPORT_KINDS) {
    const report = event[kind];
    if (report === undefined) continue;
    const host = textOf(report.hostname) || textOf(report.noted_hostname) || (hostOf(event.request?.url ?? "") ?? "");
    const details: Detail[] = host === "" ? [] : [["host", host.toLowerCase()]];
    if (kind === "nel") details.push(["type", textOf(report.type) || "unknown"]);
    return { kind, details };
  }
  return null;
}

/** File and line of a template that failed while it was rendered. Null where nothing of it is known. */
export function templateDetails({ template, platform }: SentryEvent): Detail[] | null {
  if (template === undefined) return null;
  const details: Detail[] = [];
  const filename = cleanFilename(template.filename ?? template.abs_path ?? "", platformFamily(platform));
  if (filename !== null) details.push(["template", filename]);
  const line = template.context_line?.trim().replace(/\s+/g, " ") ?? "";
  if (line !== "") details.push(["line", line.slice(0, MAX_LINE_CHARS).toWellFormed()]);
  return details.length > 0 ? details : null;
}

/** Characters. */
const MAX_LINE_CHARS = 200;

const OWN_CODE: ReadonlyMap<string, string> = new Map([
  ["", "'self'"],
  ["self", "'self'"],
  ["inline", "'unsafe-inline'"],
  ["eval", "'unsafe-eval'"],
  ["wasm-eval", "'unsafe-eval'"],
]);

function blockedSource(blockedUri: string, documentUri: string): string {
  const uri = blockedUri.trim();
  const keyword = OWN_CODE.get(uri);
  if (keyword !== undefined) return keyword;
  const host = hostOf(uri);
  if (host === null) return uri.split(":", 1)[0]?.toLowerCase() || uri;
  return host === hostOf(documentUri) ? "'self'" : host;
}

/** Browsers say `self` for inline code too; the directive that was violated sometimes tells which it was. */
function ofOwnCode(violatedDirective: string): string {
  const mentionsInline = violatedDirective.includes("'unsafe-inline'");
  const mentionsEval = violatedDirective.includes("'unsafe-eval'");
  if (mentionsInline === mentionsEval) return "'self'";
  return mentionsInline ? "'unsafe-inline'" : "'unsafe-eval'";
}

/** Host in lower case, with its port unless it is the scheme's own. Null if there is none. */
function hostOf(uri: string): string | null {
  const host = URL.parse(uri)?.host;
  return host ? host : null;
}

function firstWord(text: string): string {
  return text.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
