import { MONITOR_LIMITS } from "../domain/monitor.ts";
import { findConfigFault } from "../domain/monitors/sent-config.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";
import { toMonitorSlug } from "../signals/check-in/read-check-in.ts";
import type { EnvelopeAcceptor, EnvelopeSource, RefusalTarget } from "./accept-envelope.ts";
import type { IngestAnswer } from "./answers.ts";
import { wrapItem } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/** The monitor of a request, and the word after the key in its path: an exit status, a status, or nothing. */
export interface CronPath {
  slug: string;
  word: string | null;
}

/** The largest body of a check-in. Of the job's output, only the end is kept. */
export const MAX_CRON_BODY_BYTES = 100 * 1024;

/** Query parameters that are read. The address may also hold those of CREDENTIALS, which say who sends. */
const PARAMETERS = ["status", "check_in_id", "environment", "duration", "exit_status", "release"];
const CREDENTIALS = ["sentry_key", "sentry_version", "sentry_client", "sentry_secret", "sentry_timestamp"];
const FIELDS = [...PARAMETERS, "monitor_slug", "monitor_config", "output", "contexts"];
const STATUSES = ["in_progress", "ok", "error"];
/** The words that may stand at the end of a path. A number may stand there, too. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["start", "in_progress"],
  ["fail", "error"],
  ...STATUSES.map((status) => [status, status] as const),
]);

/**
 * Reads the check-in of a request (protocol 3.3), in the form of a check-in item.
 *
 * @param body null: the request has none. JSON is a check-in, anything else is the output of the job.
 */
export function readCronCheckIn(
  { slug, word }: CronPath,
  query: string,
  body: { bytes: Uint8Array; contentType: string } | null,
): Record<string, unknown> | Refusal {
  if (toMonitorSlug(slug) === "") return bad(`“${slug}” names no monitor: letters and digits are expected`);
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name) && !CREDENTIALS.includes(name))
      return bad(`unknown parameter “${name}”: known are ${PARAMETERS.join(", ")}`);
  }
  const checkIn: Record<string, unknown> = {};
  for (const name of PARAMETERS) if (parameters.has(name)) checkIn[name] = parameters.get(name);
  for (const name of ["duration", "exit_status"]) {
    if (checkIn[name] === undefined) continue;
    const number = Number(checkIn[name]);
    if (checkIn[name] === "" || !Number.isFinite(number)) return bad(`${name} is no number`);
    checkIn[name] = number;
  }
  if (word !== null) {
    const status = WORDS.get(word);
    if (status !== undefined) checkIn.status = status;
    else if (/^\d{1,3}$/.test(word)) checkIn.exit_status = Number(word);
    else return bad(`“${word}” is neither an exit status nor one of ${[...WORDS.keys()].join(", ")}`);
  }
  if (body !== null) {
    if (!body.contentType.toLowerCase().includes("json")) {
      checkIn.output = Buffer.from(body.bytes)
        .subarray(-MONITOR_LIMITS.outputBytes)
        .toString()
        .replace(/^\uFFFD+/, "");
    } else {
      const json = glanceAtJson(body.bytes);
      if (json === undefined) return new Refusal("malformed_json", "invalid JSON data");
      if (typeof json !== "object" || json === null || Array.isArray(json))
        return new Refusal("malformed_json", "invalid JSON data: the check-in is not an object");
      Object.assign(checkIn, json);
    }
  }
  return check({ ...checkIn, monitor_slug: slug });
}

function check(checkIn: Record<string, unknown>): Record<string, unknown> | Refusal {
  const unknown = Object.keys(checkIn).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return bad(`unknown field “${unknown}”: known are ${FIELDS.join(", ")}`);
  const { status, exit_status, duration, check_in_id, monitor_config } = checkIn;
  if (exit_status !== undefined && !Number.isInteger(exit_status)) return bad("exit_status is no whole number");
  if (status === undefined && exit_status === undefined)
    return bad(`status is missing: one of ${STATUSES.join(", ")}, or an exit status at the end of the path`);
  if (status !== undefined && !STATUSES.includes(String(status)))
    return bad(`status is “${String(status).slice(0, 40)}”: one of ${STATUSES.join(", ")} is expected`);
  if (duration !== undefined && (typeof duration !== "number" || duration < 0))
    return bad("duration is no number of seconds");
  if (check_in_id !== undefined && normalizeEventId(check_in_id) === null && !/^[0-]+$/.test(String(check_in_id)))
    return bad("check_in_id is no UUID");
  if (monitor_config !== undefined) {
    const fault = findConfigFault(monitor_config);
    if (fault !== null) return bad(fault);
  }
  return { ...checkIn, status: status ?? (exit_status === 0 ? "ok" : "error") };
}

function bad(detail: string): Refusal {
  return new Refusal("malformed_check_in", detail);
}

/** Answers 202 if the check-in was accepted, and also if it is over a limit of the sender: a job must not fail because of its check-in. */
export async function acceptCheckIn(
  checkIn: Record<string, unknown>,
  source: EnvelopeSource,
  { acceptor, target }: { acceptor: EnvelopeAcceptor; target: RefusalTarget },
): Promise<IngestAnswer> {
  const envelope = wrapItem({ type: "check_in" }, Buffer.from(JSON.stringify(checkIn)));
  if (envelope.length > MAX_CRON_BODY_BYTES)
    return acceptor.refuse(
      new Refusal("body_too_large", `the check-in is larger than ${MAX_CRON_BODY_BYTES} bytes`),
      target,
    );
  return toCronAnswer(await acceptor.accept(envelope, parseEnvelope(envelope), source));
}

export function toCronAnswer(answer: IngestAnswer): IngestAnswer {
  if (answer.status === 200 || answer.status === 429) return { ...answer, status: 202, body: null };
  return answer;
}
