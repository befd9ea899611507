import type { SentryEvent } from "../domain/event.ts";
import { cspMessage } from "../protocol/csp-message.ts";
import { type SecurityReportKind, securityReportDetails, templateDetails } from "./v1/report-key.ts";

/** The title of a report or a failed template without a message, as older endpoints send it. Empty if the event is neither. */
export function titleOfReport(event: SentryEvent): string {
  const { csp } = event;
  if (csp !== undefined) {
    const directive = firstWord(csp.effective_directive) || firstWord(csp.violated_directive);
    const violation = {
      directive,
      violatedDirective: textOf(csp.violated_directive),
      blockedUri: textOf(csp.blocked_uri),
      documentUri: textOf(csp.document_uri) || (event.request?.url ?? ""),
    };
    if (directive !== "") return cspMessage(violation);
  }
  const report = securityReportDetails(event);
  const host = report?.details.find(([name]) => name === "host")?.[1];
  if (report !== null) return host === undefined ? NAMES[report.kind] : `${NAMES[report.kind]} for '${host}'`;
  const template = templateDetails(event)?.[0]?.[1];
  return template === undefined ? "" : `Template ${template}`;
}

const NAMES: Readonly<Record<SecurityReportKind, string>> = {
  hpkp: "Public key pinning failed",
  expectct: "Expect-CT failed",
  expectstaple: "Expect-Staple failed",
  nel: "Network error",
};

function firstWord(value: unknown): string {
  return textOf(value).trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 2_048).toWellFormed() : "";
}
