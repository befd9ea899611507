import { z } from "zod";
import { formatAssertion, parseAssertions } from "../../domain/uptime/assertion.ts";
import { DOWN_AT, readDownAt } from "../../domain/uptime/down-at.ts";
import type { UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import {
  UPTIME_INTERVALS,
  UPTIME_LIMITS,
  UPTIME_METHODS,
  type UptimeSettings,
  type UptimeTarget,
} from "../../domain/uptime/uptime-monitor.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";

export type UptimeField =
  | "name"
  | "address"
  | "method"
  | "headers"
  | "body"
  | "interval"
  | "timeout"
  | "assertions"
  | "certificate"
  | "environment"
  | "places"
  | "downAt";

const uptimeForm = z.object({
  name: text(UPTIME_LIMITS.nameChars, "must not be empty: it is the title of the issue when it is down"),
  address: text(UPTIME_LIMITS.urlChars, "must not be empty: https://example.com/health, or db.example.com:5432"),
  method: z.enum(UPTIME_METHODS).default("GET"),
  headers: z.string().default(""),
  body: z.string().max(UPTIME_LIMITS.bodyChars).default(""),
  interval: z.coerce
    .number()
    .refine((value) => UPTIME_INTERVALS.some((each) => each === value), "is none of those offered"),
  timeout: z.coerce.number().min(UPTIME_LIMITS.minTimeoutMs).max(UPTIME_LIMITS.maxTimeoutMs),
  assertions: z.string().max(10_000).default(""),
  certificate: z.coerce.number().int().min(1).max(UPTIME_LIMITS.maxCertificateDays).optional(),
  environment: z.string().trim().max(64).optional(),
  downAt: z.string().default("most"),
});

/** The word for this server among the places of a form. */
const HERE_WORD = "here";

export type NamedLocation = Pick<UptimeLocation, "id" | "name">;

export type ReadUptime =
  | { ok: true; settings: UptimeSettings }
  | { ok: false; status: 400; field: UptimeField; message: string };

/** Reads the settings from a form. `locations`: all that exist. */
export function readUptimeForm(form: FormData, locations: readonly NamedLocation[]): ReadUptime {
  const read = readForm(uptimeForm, form);
  if (!read.ok) return { ok: false, status: 400, field: read.field, message: read.message };
  const { fields } = read;
  const refuse = (field: UptimeField, message: string): ReadUptime => ({ ok: false, status: 400, field, message });
  const headers = readHeaders(fields.headers);
  if (typeof headers === "string") return refuse("headers", headers);
  const target = readTarget(fields.address, { method: fields.method, headers, body: fields.body });
  if (typeof target === "string") return refuse("address", target);
  const { assertions, problems } = parseAssertions(fields.assertions);
  const [problem] = problems;
  if (problem) return refuse("assertions", `Line ${problem.line}: ${problem.message}.`);
  if (assertions.length > UPTIME_LIMITS.assertions)
    return refuse("assertions", `At most ${UPTIME_LIMITS.assertions} lines are allowed.`);
  if (target.kind === "tcp" && assertions.some(({ kind }) => kind !== "time"))
    return refuse("assertions", "Of a host and port, only the time can be asked: “time under 800 ms”.");
  const places = readPlaces(toPlacesText(form), locations);
  if (typeof places === "string") return refuse("places", places);
  const downAt = readDownAt(fields.downAt);
  if (downAt === null) return refuse("downAt", `Choose one of ${DOWN_AT.join(", ")}.`);
  return {
    ok: true,
    settings: {
      name: fields.name,
      target,
      intervalSeconds: fields.interval,
      timeoutMs: fields.timeout,
      assertions,
      certificateDays: fields.certificate ?? null,
      environment: fields.environment || null,
      ...places,
      downAt,
    },
  };
}

/** The chosen places as one text. A form has a box for each; files and the web API have names. Null: the form has no places. */
export function toPlacesText(form: FormData): string | null {
  return form.has("places") ? form.getAll("places").map(String).filter(Boolean).join(",") : null;
}

/** The places that check it, or a text that says what is wrong. */
function readPlaces(
  text: string | null,
  locations: readonly NamedLocation[],
): Pick<UptimeSettings, "isCheckedHere" | "locationIds"> | string {
  const words = (text ?? HERE_WORD)
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  if (words.length === 0) return "Choose at least one place.";
  const ids: number[] = [];
  for (const word of words) {
    if (word === HERE_WORD) continue;
    const found = locations.find(({ id, name }) => String(id) === word || name.toLowerCase() === word);
    if (found === undefined) return `There is no location “${word.slice(0, 60)}”.`;
    ids.push(found.id);
  }
  return { isCheckedHere: words.includes(HERE_WORD), locationIds: [...new Set(ids)].sort((a, b) => a - b) };
}

/** The names of the places in a form's text. */
export function namePlaces(text: string, locations: readonly NamedLocation[]): string[] {
  const words = text.split(",").filter((word) => word !== "");
  return words.map((word) => locations.find(({ id }) => String(id) === word)?.name ?? word);
}

/** The target, or why the text is no address. */
function readTarget(
  address: string,
  request: { method: (typeof UPTIME_METHODS)[number]; headers: Array<readonly [string, string]>; body: string },
): UptimeTarget | string {
  if (/^https?:\/\//i.test(address)) {
    const url = URL.parse(address);
    if (url === null) return "This is no URL.";
    if (url.username !== "" || url.password !== "")
      return "It carries a user or a password: send them as a header, Authorization: Basic …";
    return { kind: "http", url: url.href, ...request };
  }
  const match = /^(?:tcp:\/\/)?(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})\/?$/i.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65_535)
    return "Write a URL that begins with https:// or http://, or a host and its port: db.example.com:5432.";
  return { kind: "tcp", host, port };
}

/** The headers, one a line, or a text that says what is wrong. */
function readHeaders(text: string): Array<readonly [string, string]> | string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length > UPTIME_LIMITS.headers) return `At most ${UPTIME_LIMITS.headers} headers are allowed.`;
  const headers: Array<readonly [string, string]> = [];
  for (const line of lines) {
    const match = /^([\w!#$%&'*+.^`|~-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line);
    if (match === null || line.length > UPTIME_LIMITS.headerChars)
      return `“${line.slice(0, 40)}” is no header: write Name: value, one a line.`;
    const name = match[1] ?? "";
    if (/^(host|connection|content-length|transfer-encoding|upgrade|expect)$/i.test(name))
      return `${name} is set by Culprit itself.`;
    headers.push([name, match[2] ?? ""]);
  }
  return headers;
}

/** The fields of the form for these settings. */
export function toUptimeFields(settings: UptimeSettings): Record<UptimeField, string> {
  const { target } = settings;
  const isHttp = target.kind === "http";
  return {
    name: settings.name,
    address: isHttp ? target.url : `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`,
    method: isHttp ? target.method : "GET",
    headers: isHttp ? target.headers.map(([name, value]) => `${name}: ${value}`).join("\n") : "",
    body: isHttp ? target.body : "",
    interval: String(settings.intervalSeconds),
    timeout: String(settings.timeoutMs),
    assertions: settings.assertions.map(formatAssertion).join("\n"),
    certificate: settings.certificateDays === null ? "" : String(settings.certificateDays),
    environment: settings.environment ?? "",
    places: [...(settings.isCheckedHere ? [HERE_WORD] : []), ...settings.locationIds].join(","),
    downAt: String(settings.downAt),
  };
}

/** The fields of a new monitor. */
export const NEW_UPTIME_FIELDS: Record<UptimeField, string> = {
  name: "",
  address: "",
  method: "GET",
  headers: "",
  body: "",
  interval: "60",
  timeout: "10000",
  assertions: "",
  certificate: "14",
  environment: "",
  places: HERE_WORD,
  downAt: "most",
};
