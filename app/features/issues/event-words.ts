import type { EventFilter } from "../../stores/events/error-events.ts";
import type { SearchWord } from "./search-words.ts";

/** What one event must have: all of it, of each tag any of the values. */
export type EventWords = Required<Pick<EventFilter, "anyOfTags">> & Pick<EventFilter, "traceId">;

/** More would make a statement too long for what a person types. */
const MAX_TAG_VALUES = 20;

/** Tags that the server gives to events: known also where no event has one. */
const SERVER_TAGS = new Set(
  `server_name site level logger environment release dist transaction url handled mechanism os os.name browser browser.name
   device device.family runtime runtime.name client_os client_os.name user`.split(/\s+/),
);

const TIME =
  "A time is no word of a search: choose the range beside it; in the API `statsPeriod`, or `start` and `end`.";
const COUNT = "Counts cannot be searched for: sort by events or users.";
const TEXT = "Type the text without a key: it is looked for in titles and culprits.";
const USER = "Users are found by user: with id, e-mail, name or address.";
/** Keys that people know from other tools, with what does the same here. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  age: TIME,
  firstseen: TIME,
  lastseen: TIME,
  timestamp: TIME,
  "event.timestamp": TIME,
  timesseen: COUNT,
  times_seen: COUNT,
  has: "A tag is searched for with its value, like plan:pro.",
  message: TEXT,
  title: TEXT,
  "error.type": TEXT,
  "error.value": TEXT,
  "user.email": USER,
  "user.username": USER,
  "user.ip": USER,
  id: "Type the id of an event alone.",
  "event.id": "Type the id of an event alone.",
  issue: "Type the short id of an issue alone.",
};

/** Words that name tags of events, a user or a trace. Each that cannot be used adds a sentence to `problems`. */
export function readEventWords(words: readonly SearchWord[], problems: string[]): EventWords {
  const values = new Map<string, Set<string>>();
  let traceId: string | undefined;
  for (const word of words) {
    const { otherKey: key } = word;
    if (key === null) continue;
    const problem = findProblem(key, word);
    const name = key.toLowerCase();
    if (problem !== null) problems.push(problem);
    else if (name === "trace") {
      const id = word.value.replaceAll("-", "").toLowerCase();
      if (traceId !== undefined && traceId !== id) problems.push("An event is of one trace: trace: is used only once.");
      traceId = id;
    } else {
      const tag = name === "user" || name === "user.id" ? "user" : key;
      const known = values.get(tag) ?? new Set();
      for (const value of toValues(name, word.value)) known.add(value);
      if (known.size > MAX_TAG_VALUES) problems.push(`“${key}:” can have at most ${MAX_TAG_VALUES} values.`);
      values.set(tag, known);
    }
  }
  return {
    anyOfTags: [...values].map(([key, wanted]) => ({ key, values: [...wanted].slice(0, MAX_TAG_VALUES) })),
    ...(traceId === undefined ? {} : { traceId }),
  };
}

/** True for tags that events may carry by themselves, whether or not one does. */
export function isServerTag(key: string): boolean {
  return SERVER_TAGS.has(key);
}

/** A user is kept with what they are known by; people type only the value. */
function toValues(name: string, value: string): string[] {
  if (name === "user.id") return [`id:${value}`];
  if (name !== "user" || /^(id|email|username|ip):/.test(value)) return [value];
  return ["id", "email", "username", "ip"].map((kind) => `${kind}:${value}`);
}

/** A sentence; null when the word can be used. */
function findProblem(key: string, { isNegated, value, isQuoted }: SearchWord): string | null {
  const name = key.toLowerCase();
  const otherWay = Object.hasOwn(OTHER_WAYS, name) ? OTHER_WAYS[name] : undefined;
  if (otherWay !== undefined) return `“${key}:” is not known. ${otherWay}`;
  if (value === "") return `“${key}:” needs a value after the colon.`;
  if (isNegated) return `“!${key}:${value}” cannot be left out: an issue may have events with it and without it.`;
  if (name === "trace" && !/^[0-9a-f]{32}$/i.test(value.replaceAll("-", "")))
    return "“trace:” needs the id of a trace: 32 hexadecimal digits.";
  if (!isQuoted && /^[<>=[]|\*/.test(value))
    return `“${key}:${value}” is not known. A tag has exactly the value that is typed; put quotes around one with such signs.`;
  return null;
}
