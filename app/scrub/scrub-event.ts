import type { MetaEntry, MetaTree, SentryEvent, Stacktrace } from "../domain/event.ts";
import { MetaRecorder } from "../normalize/meta.ts";
import { toUserTag } from "../normalize/normalize-tags.ts";
import type { PathScrubber } from "./path-scrubber.ts";
import { BUILT_IN_RULES, type ScrubRules } from "./scrub-rules.ts";
import { scrubText } from "./scrub-text.ts";
import { TreeScrubber } from "./tree-scrubber.ts";

/**
 * Parts without user data: names, versions, times and ids that SDKs make. The source lines around frames are skipped, too: they are the
 * committed code.
 */
const SKIPPED = new Set(
  (
    "event_id type timestamp start_timestamp received platform level release dist environment modules fingerprint checksum " +
    "template debug_meta sdk measurements transaction_info _meta"
  ).split(" "),
);

/**
 * Replaces secrets in an event, in place, by a text that shows that something was there: `[Filtered]` for the value under a telling key,
 * `[Filtered: card number]` and the like inside text. `_meta` gets the rule of each replacement.
 */
export function scrubEvent(event: SentryEvent, rules: ScrubRules = BUILT_IN_RULES): SentryEvent {
  const notes = event._meta;
  const meta = new MetaRecorder(notes ?? null);
  const userTag = toUserTag(event.user);
  const scrubber = new TreeScrubber(meta, rules);
  if (event.exception !== undefined) scrubExceptions(event.exception.values, scrubber, meta);
  if (event.threads !== undefined) scrubThreads(event.threads.values, scrubber, meta);
  if (event.stacktrace !== undefined) scrubStacktrace(event.stacktrace, "stacktrace", scrubber, meta);
  if (event.raw_stacktrace !== undefined) scrubStacktrace(event.raw_stacktrace, "raw_stacktrace", scrubber, meta);
  if (event.debug_meta?.images !== undefined) scrubImages(event.debug_meta.images, scrubber, meta);
  if (event.request !== undefined) scrubRequest(event.request, scrubber, meta);
  if (event.tags !== undefined) scrubber.scrubPairs("tags", event.tags);
  if (event.contexts !== undefined) {
    meta.enter("contexts");
    for (const alias in event.contexts) scrubber.scrubInside(alias, event.contexts[alias]);
    meta.leave();
  }
  // The contract gives these fields a type, so they stay objects whatever their key is.
  for (const key of ["logentry", "breadcrumbs", "user", "extra", "csp", "nel", "spans", "errors"] as const) {
    scrubber.scrubInside(key, event[key]);
  }
  scrubOthers(event, scrubber);
  if (notes !== undefined) scrubNotes(notes, false, rules);
  const isRuled = rules.paths !== null && scrubPlaces(event, rules.paths, meta);
  if (scrubber.changed || isRuled) event._meta = meta.toTree();
  if (rules !== BUILT_IN_RULES) renewUserTag(event, userTag);
  return event;
}

/** Applies the project's rules that name places. True: something changed. */
function scrubPlaces(event: SentryEvent, paths: PathScrubber, meta: MetaRecorder): boolean {
  const changed = paths.scrub(event, SKIPPED);
  for (const path of changed) {
    for (const key of path) meta.enter(key);
    meta.remark(null, "@rule", "s");
    for (const _ of path) meta.leave();
  }
  return changed.length > 0;
}

/** Updates the server's own user tag, which repeats a field of the user that may be masked now. */
function renewUserTag(event: SentryEvent, before: string | undefined): void {
  const after = toUserTag(event.user);
  if (event.tags === undefined || before === undefined || after === before) return;
  event.tags = event.tags.flatMap(([key, value]): Array<[string, string]> => {
    if (key !== "user") return [[key, value]];
    return after === undefined ? [] : [[key, after]];
  });
}

const TYPED = new Set(
  "exception threads stacktrace raw_stacktrace request tags contexts logentry breadcrumbs user extra csp nel spans errors".split(
    " ",
  ),
);

/** Scrubs the texts of the event itself, and the fields that the contract does not name. */
function scrubOthers(event: SentryEvent, scrubber: TreeScrubber): void {
  const fields: Record<string, unknown> = { ...event };
  const changes: Record<string, unknown> = {};
  for (const key in fields) {
    const before = fields[key];
    if (before === undefined || SKIPPED.has(key) || TYPED.has(key)) continue;
    const after = scrubber.scrubField(key, before);
    if (after !== before) changes[key] = after;
  }
  Object.assign(event, changes);
}

function scrubExceptions(
  exceptions: NonNullable<SentryEvent["exception"]>["values"],
  scrubber: TreeScrubber,
  meta: MetaRecorder,
): void {
  meta.enter("exception");
  meta.enter("values");
  for (let index = 0; index < exceptions.length; index++) {
    const exception = exceptions[index];
    if (exception === undefined) continue;
    meta.enter(index);
    if (exception.value !== undefined) exception.value = scrubber.scrubString("value", exception.value);
    if (exception.stacktrace !== undefined) scrubStacktrace(exception.stacktrace, "stacktrace", scrubber, meta);
    if (exception.raw_stacktrace !== undefined) {
      scrubStacktrace(exception.raw_stacktrace, "raw_stacktrace", scrubber, meta);
    }
    scrubber.scrubInside("mechanism", exception.mechanism);
    meta.leave();
  }
  meta.leave();
  meta.leave();
}

function scrubThreads(
  threads: NonNullable<SentryEvent["threads"]>["values"],
  scrubber: TreeScrubber,
  meta: MetaRecorder,
): void {
  meta.enter("threads");
  meta.enter("values");
  for (let index = 0; index < threads.length; index++) {
    const { stacktrace, raw_stacktrace: raw } = threads[index] ?? {};
    if (stacktrace === undefined && raw === undefined) continue;
    meta.enter(index);
    if (stacktrace !== undefined) scrubStacktrace(stacktrace, "stacktrace", scrubber, meta);
    if (raw !== undefined) scrubStacktrace(raw, "raw_stacktrace", scrubber, meta);
    meta.leave();
  }
  meta.leave();
  meta.leave();
}

function scrubStacktrace(stacktrace: Stacktrace, key: string, scrubber: TreeScrubber, meta: MetaRecorder): void {
  const { frames } = stacktrace;
  meta.enter(key);
  meta.enter("frames");
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index];
    if (frame === undefined) continue;
    const { vars, filename, abs_path: path } = frame;
    const hasQuery = path?.includes("=") || filename?.includes("=");
    if (vars === undefined && !hasQuery) continue;
    meta.enter(index);
    scrubber.scrubInside("vars", vars);
    // A script inside a page has the URL of the page, with its query.
    if (hasQuery && path !== undefined) frame.abs_path = scrubber.scrubString("abs_path", path);
    if (hasQuery && filename !== undefined) frame.filename = scrubber.scrubString("filename", filename);
    meta.leave();
  }
  meta.leave();
  meta.leave();
}

/** Scrubs the file names of debug images exactly like those of frames: frames find their debug ids by these names later. */
function scrubImages(images: Array<Record<string, unknown>>, scrubber: TreeScrubber, meta: MetaRecorder): void {
  meta.enter("debug_meta");
  meta.enter("images");
  for (const [index, image] of images.entries()) {
    const { code_file: file } = image;
    if (typeof file !== "string" || !file.includes("=")) continue;
    meta.enter(index);
    image.code_file = scrubber.scrubString("code_file", file);
    meta.leave();
  }
  meta.leave();
  meta.leave();
}

function scrubRequest(request: NonNullable<SentryEvent["request"]>, scrubber: TreeScrubber, meta: MetaRecorder): void {
  meta.enter("request");
  const { headers, cookies, query_string: query, ...fields } = request;
  if (headers !== undefined) scrubber.scrubPairs("headers", headers);
  if (query !== undefined) scrubber.scrubPairs("query_string", query);
  if (cookies !== undefined) scrubber.scrubCookies("cookies", cookies);
  scrubber.scrubFields(fields);
  if (scrubber.changed) Object.assign(request, fields);
  meta.leave();
}

/** Scrubs the original values that are kept beside an error: they may be a secret that was scrubbed elsewhere. */
function scrubNotes(node: MetaTree, isSecret: boolean, rules: ScrubRules): void {
  for (const key in node) {
    const child = node[key];
    if (child === undefined) continue;
    if (key === "") scrubEntry(child, isSecret, rules);
    else scrubNotes(child as MetaTree, isSecret || rules.findKey(key) !== null, rules);
  }
}

function scrubEntry(entry: MetaEntry, isSecret: boolean, rules: ScrubRules): void {
  if (isSecret) delete entry.val;
  else if (typeof entry.val === "string") entry.val = scrubText(entry.val, rules)?.text ?? entry.val;
}
