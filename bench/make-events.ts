import { DIALECTS, type Dialect } from "./event-dialects.ts";
import { CITIES, ENVIRONMENTS, NOUNS, PEOPLE, RELEASES, SENTENCE_WORDS, USER_AGENTS, VERBS } from "./event-words.ts";
import { createRandom, type Random } from "./random.ts";

/**
 * What differs between two sendings of the same event is written into places of fixed width: so that a prepared request
 * can be sent again as a new event without being made anew.
 */
export const SLOTS = {
  eventId: "00000000000000000000000000000000",
  /** Seconds since 1970, a number in the JSON. */
  timestamp: "1111111111.111",
  /** Part of the user's id and address. */
  user: "uuuuuuuu",
} as const;

export interface EventMakerOptions {
  /** Of the event's JSON; met exactly, unless the event would be smaller than an event of that platform can be. */
  sizeBytes: number;
  /** How many issues the events fall into. */
  groupCount: number;
  seed?: number;
  /** Instant of the breadcrumbs, in milliseconds since 1970. */
  nowMs: number;
}

export interface MadeEvent {
  platform: string;
  sdk: { name: string; version: string };
  release: string;
  environment: string;
  traceId: string;
  json: string;
}

interface Frame {
  function: string;
  filename: string;
  lineno: number;
  in_app: boolean;
  [more: string]: unknown;
}

/** What all events of an issue have in common. */
interface Group {
  dialect: Dialect;
  words: Words;
  errorType: string;
  message: string;
  frames: Frame[];
  transaction: string;
}

interface Words {
  noun: string;
  verb: string;
}

/** What the application says over and over, with other values each time: logs and queries compress well because of it. */
interface Phrases {
  sentences: string[];
  queries: string[];
}

/** Sum of all frames of an event, as part of the event; the rest are breadcrumbs, request, contexts and values. */
const FRAMES_SHARE = 0.42;
const MAX_FRAMES_SHARE = 0.5;
const MAX_FRAMES = 60;
/** SDKs keep the last hundred. */
const MAX_BREADCRUMBS = 100;
/** Below this, SDKs' events have no list of packages and short headers. */
const SMALL_EVENT_BYTES = 5_000;

/** Makes the event with this number: always the same for the same options. Event `n` falls into group `n % groupCount`. */
export function createEventMaker(options: EventMakerOptions): (index: number) => MadeEvent {
  const { groupCount, seed = 1 } = options;
  const phrases = makePhrases(createRandom(seed));
  const groups = Array.from({ length: groupCount }, (_, number) => makeGroup(number, options));
  return (index) => {
    const group = groups[index % groupCount];
    if (!group) throw new Error("there is no group");
    return makeEvent(group, phrases, createRandom(seed * 1_000_003 + index), options);
  };
}

function makePhrases(random: Random): Phrases {
  const sentences = Array.from({ length: 120 }, () => {
    const words: string[] = Array.from({ length: 6 + random.whole(10) }, () => random.pick(SENTENCE_WORDS));
    words.splice(random.whole(words.length), 0, "{n}");
    return words.join(" ");
  });
  const queries = Array.from({ length: 60 }, () => {
    const [table, other] = [random.pick(NOUNS), random.pick(NOUNS)];
    return (
      `SELECT ${table}.id, ${table}.tenant_id, ${table}.created_at, ${table}.state FROM ${table} ` +
      `INNER JOIN ${other} ON ${other}.id = ${table}.${other}_id WHERE ${table}.tenant_id = %s AND ${other}.state IN (%s, %s)`
    );
  });
  return { sentences, queries };
}

function makeGroup(number: number, { sizeBytes, seed = 1 }: EventMakerOptions): Group {
  const random = createRandom(seed * 7_919 + number);
  const dialect = DIALECTS[number % DIALECTS.length];
  if (!dialect) throw new Error("there is no dialect");
  const words = wordsOfGroup(Math.floor(number / DIALECTS.length));
  const [errorType, message] = random.pick(dialect.errors);
  const frames = [makeFrame(dialect, words, random, sizeBytes)];
  // A stack goes through few files, each of them several times.
  const files = [words, pickWords(random), pickWords(random), pickWords(random)];
  let length = byteLength(frames);
  while (length < sizeBytes * FRAMES_SHARE && frames.length < MAX_FRAMES) {
    const isLibrary = random.next() < 0.5;
    const frame = isLibrary
      ? makeLibraryFrame(dialect, random, sizeBytes)
      : makeFrame(dialect, random.pick(files), random, sizeBytes);
    const frameLength = byteLength(frame) + (dialect.hasVars && frame.in_app ? 250 : 0);
    if (length + frameLength > sizeBytes * MAX_FRAMES_SHARE) break;
    frames.unshift(frame);
    length += frameLength;
  }
  return {
    dialect,
    words,
    errorType: fill(errorType, words),
    message: fill(message, words),
    frames,
    transaction: fill(dialect.isBrowser ? "/{noun}/:id/{verb}" : "/api/{noun}/{verb}", words),
  };
}

/** A pair of its own for each of the first 2,400 numbers, neighbours being unlike each other. */
function wordsOfGroup(number: number): Words {
  const round = Math.floor(number / VERBS.length);
  const verb = VERBS[number % VERBS.length] ?? VERBS[0];
  const noun = NOUNS[(number * 7 + round) % NOUNS.length] ?? NOUNS[0];
  return { noun, verb };
}

function makeFrame(dialect: Dialect, words: Words, random: Random, sizeBytes: number): Frame {
  const filename = fill(dialect.filename, words);
  const line = 20 + random.whole(400);
  const frame: Frame = {
    function: fill(dialect.functionName, words),
    filename,
    abs_path: dialect.root + filename,
    lineno: line,
    in_app: true,
  };
  if (dialect.isBrowser) frame.colno = 1 + random.whole(9_000);
  if (dialect.module !== null) frame.module = fill(dialect.module, words);
  const makeLine = () => fill(random.pick(dialect.source), words);
  addContext(frame, contextOf(dialect, sizeBytes), random, makeLine);
  return frame;
}

function makeLibraryFrame(dialect: Dialect, random: Random, sizeBytes: number): Frame {
  const [filename, functionName, line] = random.pick(dialect.library);
  const frame: Frame = {
    function: functionName,
    filename,
    abs_path: `${dialect.root}lib/${filename}`,
    lineno: 20 + random.whole(2_000),
    in_app: false,
  };
  const makeLine = () => (random.next() < 0.5 ? line : random.pick(dialect.library)[2]);
  if (line !== "") addContext(frame, contextOf(dialect, sizeBytes), random, makeLine);
  return frame;
}

function contextOf({ contextLines }: Dialect, sizeBytes: number): number | null {
  return contextLines !== null && sizeBytes < SMALL_EVENT_BYTES ? 1 : contextLines;
}

function addContext(frame: Frame, contextLines: number | null, random: Random, makeLine: () => string): void {
  if (contextLines === null) return;
  frame.pre_context = Array.from({ length: contextLines }, () => (random.next() < 0.1 ? "" : makeLine()));
  frame.context_line = makeLine();
  frame.post_context = Array.from({ length: contextLines }, () => (random.next() < 0.1 ? "" : makeLine()));
}

function makeEvent(group: Group, phrases: Phrases, random: Random, { sizeBytes, nowMs }: EventMakerOptions): MadeEvent {
  const { dialect } = group;
  const release = random.pick(RELEASES);
  const environment = random.pick(ENVIRONMENTS);
  const traceId = random.hex(32);
  const breadcrumbs: object[] = [];
  const extra: Record<string, unknown> = {};
  const event = {
    event_id: SLOTS.eventId,
    timestamp: Number(SLOTS.timestamp),
    platform: dialect.platform,
    level: "error",
    logger: fill(random.pick(dialect.loggers), group.words),
    transaction: group.transaction,
    release,
    environment,
    ...(dialect.isBrowser ? {} : { server_name: `web-${random.pick(PEOPLE)}-${random.whole(12)}` }),
    sdk: { ...dialect.sdk, packages: [{ name: dialect.sdk.name, version: dialect.sdk.version }] },
    exception: {
      values: [
        {
          type: group.errorType,
          value: group.message
            .replace("{n}", String(random.whole(1_000_000)))
            .replace("{m}", String(random.whole(10_000))),
          mechanism: { type: dialect.isBrowser ? "onerror" : "generic", handled: random.next() < 0.5 },
          stacktrace: { frames: dialect.hasVars ? group.frames.map((frame) => withVars(frame, random)) : group.frames },
        },
      ],
    },
    request: makeRequest(group, random, sizeBytes),
    user: makeUser(random),
    tags: makeTags(random),
    contexts: makeContexts(dialect, traceId, random),
    ...(sizeBytes >= SMALL_EVENT_BYTES ? { modules: dialect.modules } : {}),
    breadcrumbs: { values: breadcrumbs },
    extra,
  };

  let missing = sizeBytes - byteLength(event);
  let at = nowMs / 1000;
  while (missing > 400 && breadcrumbs.length < MAX_BREADCRUMBS) {
    const breadcrumb = makeBreadcrumb(dialect, phrases, at, random);
    at -= random.next() * 8;
    breadcrumbs.unshift(breadcrumb);
    missing -= byteLength(breadcrumb) + 1;
  }
  for (let state = 0; missing > 600; state++) {
    const value = makeState(phrases, random);
    extra[`state_${state}`] = value;
    missing -= byteLength(value) + `"state_${state}":,`.length;
  }
  const noteCost = '"note":"",'.length;
  if (missing > noteCost) {
    const length = missing - noteCost + (Object.keys(extra).length === 0 ? 1 : 0);
    extra.note = makeText(phrases, random, length);
  }
  return { platform: dialect.platform, sdk: dialect.sdk, release, environment, traceId, json: JSON.stringify(event) };
}

function withVars(frame: Frame, random: Random): Frame {
  if (!frame.in_app) return frame;
  const noun = random.pick(NOUNS);
  return {
    ...frame,
    vars: {
      self: `<${capital(noun)}Service object at 0x7f${random.hex(10)}>`,
      [`${noun}_id`]: String(random.whole(10_000_000)),
      force: random.pick(["True", "False"]),
      attempt: String(random.whole(5)),
      total: `Decimal('${random.whole(90_000)}.${random.whole(90) + 10}')`,
      [noun]: `<${capital(noun)}: ${random.pick(PEOPLE)} (${random.hex(8)})>`,
    },
  };
}

function makeRequest({ dialect, transaction }: Group, random: Random, sizeBytes: number): object {
  const path = transaction.replace(":id", String(random.whole(1_000_000)));
  const headers: Record<string, string> = {
    Host: "shop.example.com",
    "User-Agent": random.pick(USER_AGENTS),
    Referer: `https://shop.example.com/${random.pick(NOUNS)}`,
  };
  if (!dialect.isBrowser && sizeBytes >= SMALL_EVENT_BYTES) {
    Object.assign(headers, {
      Accept: "application/json, text/plain, */*",
      "Accept-Encoding": "gzip, deflate, br, zstd",
      "Accept-Language": "de-DE,de;q=0.9,en;q=0.8",
      "Content-Type": "application/json",
      "X-Forwarded-Proto": "https",
      "X-Request-Id": random.hex(32),
    });
  }
  return {
    url: `https://shop.example.com${path}`,
    method: dialect.isBrowser ? "GET" : random.pick(["GET", "POST", "PUT"]),
    query_string: `page=${random.whole(40)}&ref=${random.pick(NOUNS)}`,
    headers,
  };
}

function makeUser(random: Random): object {
  return {
    id: SLOTS.user,
    email: `${random.pick(PEOPLE)}.${SLOTS.user}@example.com`,
    ip_address: `203.0.113.${random.whole(254) + 1}`,
  };
}

function makeTags(random: Random): Record<string, string> {
  return {
    tenant: `${random.pick(NOUNS)}-${random.whole(40)}`,
    region: random.pick(["eu-central", "eu-west", "us-east", "ap-south"]),
    "feature.checkout": random.pick(["on", "off"]),
  };
}

function makeContexts(dialect: Dialect, traceId: string, random: Random): object {
  const trace = { trace_id: traceId, span_id: random.hex(16), op: dialect.isBrowser ? "pageload" : "http.server" };
  if (dialect.isBrowser) return { trace, culture: { locale: "de-DE", timezone: "Europe/Berlin" } };
  return {
    trace,
    runtime: dialect.runtime,
    os: { name: "Linux", version: "6.12.48", kernel_version: "6.12.48+deb13-amd64" },
    app: { app_start_time: "2026-11-12T04:10:11.000Z", app_memory: 200_000_000 + random.whole(100_000_000) },
  };
}

function makeBreadcrumb(dialect: Dialect, phrases: Phrases, timestamp: number, random: Random): object {
  const at = Number(timestamp.toFixed(3));
  const noun = random.pick(NOUNS);
  const kind = random.whole(4);
  if (kind === 0) {
    const url = `https://api.example.com/v2/${noun}/${random.whole(100_000)}?expand=lines`;
    const status = random.pick([200, 200, 201, 204, 304, 404, 502]);
    const data = {
      url,
      method: random.pick(["GET", "POST", "PATCH"]),
      status_code: status,
      response_ms: random.whole(900),
    };
    return { timestamp: at, type: "http", category: dialect.isBrowser ? "fetch" : "httplib", level: "info", data };
  }
  if (kind === 1 && dialect.isBrowser) {
    const message = `main > section.${noun} > div.card:nth-child(${random.whole(9)}) > button[type="submit"].primary`;
    return { timestamp: at, type: "default", category: "ui.click", level: "info", message };
  }
  if (kind === 1) {
    const data = { rows: random.whole(400) };
    return {
      timestamp: at,
      type: "default",
      category: "query",
      level: "info",
      message: random.pick(phrases.queries),
      data,
    };
  }
  const category = random.pick(["console", "console", "navigation", "auth"]);
  const level = random.pick(["info", "info", "info", "warning"]);
  return { timestamp: at, type: "default", category, level, message: makeSentence(phrases, random) };
}

function makeState(phrases: Phrases, random: Random): object {
  return {
    id: random.hex(24),
    owner: `${random.pick(PEOPLE)} ${random.pick(PEOPLE)}`,
    city: random.pick(CITIES),
    lines: Array.from({ length: 3 }, () => ({
      sku: `${random.pick(NOUNS)}-${random.hex(6)}`,
      quantity: 1 + random.whole(9),
      price: random.whole(100_000) / 100,
      note: makeSentence(phrases, random),
    })),
  };
}

function makeSentence(phrases: Phrases, random: Random): string {
  return random.pick(phrases.sentences).replace("{n}", String(random.whole(100_000)));
}

function makeText(phrases: Phrases, random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${makeSentence(phrases, random)}, `;
  return text.slice(0, length);
}

function pickWords(random: Random): Words {
  return { noun: random.pick(NOUNS), verb: random.pick(VERBS) };
}

function fill(text: string, { noun, verb }: Words): string {
  return text.replaceAll(/\{(noun|Noun|NOUN|verb|Verb)\}/g, (_, name: string) => {
    const word = name.toLowerCase() === "noun" ? noun : verb;
    return name === "NOUN" ? word.toUpperCase() : name[0] === name[0]?.toUpperCase() ? capital(word) : word;
  });
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The made-up text is ASCII, so characters are bytes. */
function byteLength(value: object): number {
  return JSON.stringify(value).length;
}
