import type { SentryEvent, Stacktrace } from "../../domain/event.ts";
import type {
  GroupingBasis,
  GroupingContribution,
  GroupingExplanation,
  GroupingOmission,
} from "../../domain/grouping.ts";
import { mainThreadOf } from "./crash-frame.ts";
import { type EngineKin, engineKinOf } from "./engine-kin.ts";
import { type ExceptionParts, exceptionKey, toExceptionParts } from "./exception-parts.ts";
import { messageOf, type ResolvedFingerprint, resolveFingerprint } from "./fingerprint.ts";
import { hashKey, keyPart } from "./key.ts";
import { cspDetails, type Detail, detailsKey, securityReportDetails, templateDetails } from "./report-key.ts";
import type { GroupingRules } from "./rules.ts";
import { selectExceptions, selectMain } from "./select-exceptions.ts";
import { type StackParts, toStackParts, type Variant } from "./stack-parts.ts";

export interface GroupedByRules {
  /** 32 hex characters each, the main one first. See `group-event.ts` for why there may be a second. */
  hashes: string[];
  explanation: GroupingExplanation;
  /** The keys by which reports of the same error by other browsers find it. Null if no browser sent the event. */
  kin: EngineKin | null;
  /** Index of the exception that a title should speak of; null where the event has none. */
  mainException: number | null;
}

/** A key before it is hashed, and why it is that. */
interface Key {
  basis: GroupingBasis;
  variant: Variant | null;
  /** The main one first, then that of all frames where the main one is of the app's alone. */
  keys: string[];
  contributions: GroupingContribution[];
  omissions: GroupingOmission[];
}

/** The grouping algorithm of protocol 6.1 to 6.6. The parts that differ between its versions are in the rules. */
export function groupByRules(event: SentryEvent, rules: GroupingRules): GroupedByRules {
  if (event.checksum !== undefined && event.checksum !== "") {
    const key = finish(checksumKey(event.checksum), rules, checksumHash(event.checksum, rules));
    return { ...key, kin: null, mainException: mainExceptionOf(event, rules) };
  }
  const fingerprint = resolveFingerprint(event, rules);
  if (fingerprint !== null && !fingerprint.hasDefault) {
    return { ...finish(fingerprintKey(fingerprint), rules), kin: null, mainException: mainExceptionOf(event, rules) };
  }
  const selected = selectFrom(event, rules);
  const mainException = selected?.main ?? null;
  const key = defaultKey(event, selected, rules);
  if (fingerprint !== null) return { ...finish(hybridKey(fingerprint, key), rules), kin: null, mainException };
  return { ...finish(key, rules), kin: kinOf(event, selected, key.variant, rules), mainException };
}

function kinOf(
  event: SentryEvent,
  selected: Selected | null,
  variant: Variant | null,
  rules: GroupingRules,
): EngineKin | null {
  const last = selected?.counted.at(-1);
  return last === undefined || variant === null || event.platform !== "javascript"
    ? null
    : engineKinOf(event, last, variant, rules);
}

type Selected = ReturnType<typeof selectExceptions>;

function selectFrom(event: SentryEvent, rules: GroupingRules): Selected | null {
  const exceptions = event.exception?.values ?? [];
  return exceptions.length === 0 ? null : selectExceptions(exceptions, partsOf(event, rules));
}

/** The main exception, by `selectFrom`. If the client decides, the frames are not needed. */
function mainExceptionOf(event: SentryEvent, rules: GroupingRules): number | null {
  const exceptions = event.exception?.values ?? [];
  return exceptions.length === 0 ? null : selectMain(exceptions, () => partsOf(event, rules));
}

function partsOf(event: SentryEvent, rules: GroupingRules): ExceptionParts[] {
  return (event.exception?.values ?? []).map((exception, index) => toExceptionParts(exception, index, event, rules));
}

function finish(
  { basis, variant, keys, contributions, omissions }: Key,
  { version }: GroupingRules,
  known?: string,
): Pick<GroupedByRules, "hashes" | "explanation"> {
  const main = known ?? hashKey(keys[0] ?? "", version);
  const hashes = [main];
  for (const key of keys.slice(1)) hashes.push(hashKey(key, version));
  return { hashes, explanation: { version, basis, variant, hash: main, contributions, omissions } };
}

// ── What the client decides ─────────────────────────────────────────────────────────────────────────────────────────

function checksumKey(checksum: string): Key {
  return keyOf("checksum", [], [{ kind: "detail", name: "checksum", value: checksum }]);
}

/** A checksum that is a hash is used as the key itself, so that clients can compute it (protocol 6.1). */
function checksumHash(checksum: string, { version }: GroupingRules): string {
  return /^[0-9a-fA-F]{32}$/.test(checksum) ? checksum.toLowerCase() : hashKey(keyPart("C", checksum), version);
}

function fingerprintKey({ entries }: ResolvedFingerprint): Key {
  const key = entries.map(({ value }) => keyPart("P", value)).join("");
  return keyOf(
    "fingerprint",
    [key],
    entries.map(({ template, value }) => ({ kind: "fingerprint", template, value })),
  );
}

function hybridKey(fingerprint: ResolvedFingerprint, base: Key): Key {
  const salt = fingerprintKey(fingerprint);
  return {
    ...base,
    basis: "fingerprint-and-default",
    keys: base.keys.map((key) => `${salt.keys[0] ?? ""}${keyPart("D", key)}`),
    contributions: [...salt.contributions, ...base.contributions],
  };
}

// ── What the event says ─────────────────────────────────────────────────────────────────────────────────────────────

/** The key of the first strategy in which something counts. Events in which nothing counts share one constant key. */
function defaultKey(event: SentryEvent, selected: Selected | null, rules: GroupingRules): Key {
  return (
    exceptionsKey(selected?.counted ?? [], selected?.leftOut ?? []) ??
    stackKey("threads", mainThreadOf(event)?.stacktrace, event, rules) ??
    stackKey("stack", event.stacktrace, event, rules) ??
    reportKey(event) ??
    messageKey(event, rules) ??
    keyOf("fallback", [keyPart("X", "fallback")], [])
  );
}

function exceptionsKey(counted: readonly ExceptionParts[], leftOut: Selected["leftOut"]): Key | null {
  const hasSystem = counted.some(({ stack }) => stack !== null && stack.system.length > 0);
  const hasApp = hasSystem && counted.some(({ stack }) => stack !== null && stack.app.length > 0);
  const variant: Variant | null = hasApp ? "app" : hasSystem ? "system" : null;
  const main = exceptionsKeyOf(counted, variant ?? "system");
  if (main === "") return null;
  const contributions: GroupingContribution[] = [];
  const omissions: GroupingOmission[] = [];
  for (const { index, type, nsError, stack, value } of counted) {
    if (type !== null) contributions.push({ kind: "exception-type", exception: index, value: type });
    if (nsError !== null) contributions.push({ kind: "detail", name: "NSError", value: nsError });
    if (stack !== null && variant !== null) explainStack(stack, variant, index, contributions, omissions);
    if (value !== null) contributions.push({ kind: "exception-value", exception: index, value });
  }
  for (const { index, reason } of leftOut) omissions.push({ kind: "exception", exception: index, frame: null, reason });
  const keys = [main];
  if (variant === "app" && counted.some(({ stack }) => stack !== null && stack.system.length !== stack.app.length)) {
    keys.push(exceptionsKeyOf(counted, "system"));
  }
  return { basis: variant === null ? "exception-value" : "exception-stack", variant, keys, contributions, omissions };
}

function exceptionsKeyOf(counted: readonly ExceptionParts[], variant: Variant): string {
  let key = "";
  for (const parts of counted) key += exceptionKey(parts, variant);
  return key;
}

function stackKey(
  basis: "threads" | "stack",
  stacktrace: Stacktrace | undefined,
  event: SentryEvent,
  rules: GroupingRules,
): Key | null {
  if (stacktrace === undefined) return null;
  const stack = toStackParts(stacktrace, event.platform, { errorType: null, isExhausted: false, rules });
  if (stack.system.length === 0) return null;
  const variant: Variant = stack.app.length > 0 ? "app" : "system";
  const keys = [keyPart("S", framesKey(stack, variant))];
  if (variant === "app" && stack.system.length !== stack.app.length)
    keys.push(keyPart("S", framesKey(stack, "system")));
  const contributions: GroupingContribution[] = [];
  const omissions: GroupingOmission[] = [];
  explainStack(stack, variant, null, contributions, omissions);
  return { basis, variant, keys, contributions, omissions };
}

function framesKey(stack: StackParts, variant: Variant): string {
  let key = "";
  for (const frame of stack[variant]) key += frame.key;
  return key;
}

function reportKey(event: SentryEvent): Key | null {
  const csp = cspDetails(event);
  if (csp !== null) return detailKey("csp", "csp", csp);
  const report = securityReportDetails(event);
  if (report !== null) return detailKey("security-report", report.kind, [["report", report.kind], ...report.details]);
  const template = templateDetails(event);
  return template === null ? null : detailKey("template", "template", template);
}

function detailKey(basis: GroupingBasis, kind: string, details: readonly Detail[]): Key {
  return keyOf(
    basis,
    [detailsKey(kind, details)],
    details.map(([name, value]) => ({ kind: "detail", name, value })),
  );
}

function messageKey(event: SentryEvent, { parameterizeMessage }: GroupingRules): Key | null {
  const message = messageOf(event);
  const words = message === null ? "" : parameterizeMessage(message.template);
  return words === "" ? null : keyOf("message", [keyPart("M", words)], [{ kind: "message", value: words }]);
}

function keyOf(basis: GroupingBasis, keys: string[], contributions: GroupingContribution[]): Key {
  return { basis, variant: null, keys, contributions, omissions: [] };
}

// ── Why ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

function explainStack(
  stack: StackParts,
  variant: Variant,
  exception: number | null,
  contributions: GroupingContribution[],
  omissions: GroupingOmission[],
): void {
  for (const { index, module, filename, functionName, contextLine, address } of stack[variant]) {
    const frame: GroupingContribution = { kind: "frame", exception, frame: index };
    if (module !== null) frame.module = module;
    if (filename !== null) frame.filename = filename;
    if (functionName !== null) frame.function = functionName;
    if (contextLine !== null) frame.contextLine = contextLine;
    if (address !== null) frame.address = address;
    contributions.push(frame);
  }
  // Noted from the crash outwards; listed from the outermost, runs of one reason as one entry.
  const first = omissions.length;
  for (const [index, reason] of [...(variant === "app" ? stack.leftOutOfApp : stack.leftOutOfSystem)].reverse()) {
    const last = omissions.length > first ? omissions.at(-1) : undefined;
    if (last !== undefined && last.reason === reason && last.frame !== null && (last.to ?? last.frame) === index - 1)
      last.to = index;
    else omissions.push({ kind: "frame", exception, frame: index, reason });
  }
}
