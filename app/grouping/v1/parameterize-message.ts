/**
 * Replaces what differs from one occurrence of a message to the next by what it is, so that `user 12 not found` and
 * `user 13 not found` are one issue: `user <int> not found`. Protocol 6.5, in that order of precedence at each place.
 *
 * Only whole words are replaced: `utf8`, `h264` and `error_404` stay. Only the first two lines that are not empty count;
 * `...` says that there were more.
 */
export function parameterizeMessage(message: string): string {
  return replaceV1(message);
}

export type ParameterGroup = readonly [name: string, pattern: string];

/**
 * Makes such a function for other kinds of parameters. The first group that matches at a place wins. `mayHold` must match every text in
 * which a group could match. No pattern may have a capturing group.
 */
export function createParameterizer(groups: readonly ParameterGroup[], mayHold: RegExp): (message: string) => string {
  // One expression for all: a message is walked once, and inside a word every place is given up at its first character.
  const parameter = new RegExp(`(?<![\\w])(?:${groups.map(([, pattern]) => `(${pattern})`).join("|")})`, "g");
  const replacements = groups.map(([name]) => `<${name}>`);
  const replacementOf = (match: string, ...found: Array<string | undefined | number>): string => {
    for (let i = 0; i < replacements.length; i++) {
      if (found[i] !== undefined) return replacements[i] ?? match;
    }
    return match;
  };
  return (message) => {
    const head = firstLines(message.length > MAX_INPUT_CHARS ? wholeWords(message.slice(0, MAX_INPUT_CHARS)) : message);
    const text = mayHold.test(head) ? head.replace(parameter, replacementOf) : head;
    return text.length > MAX_OUTPUT_CHARS ? text.slice(0, MAX_OUTPUT_CHARS).toWellFormed() : text;
  };
}

/** Characters. What tells one message from another stands at its beginning; the rest would only cost time. */
const MAX_INPUT_CHARS = 2048;
/** Characters. Cut after replacing, so that the length of a replaced value does not move the cut. */
const MAX_OUTPUT_CHARS = 1024;
const MAX_LINES = 2;

/** Half a number is not the number: the cut must not depend on where in a word it falls. */
function wholeWords(text: string): string {
  const end = text.search(/\s\S*$/);
  return end > 0 ? text.slice(0, end) : text;
}

function firstLines(message: string): string {
  if (!message.includes("\n") && !message.includes("\r")) return message.trim();
  const kept: string[] = [];
  for (const line of message.split(/\r\n|[\r\n]/)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    if (kept.length === MAX_LINES) return `${kept.join("\n")}...`;
    kept.push(trimmed);
  }
  return kept.join("\n");
}

/** Every parameter holds a digit, or one of these signs. Most templates hold neither, and are done here. */
const MAY_HOLD_PARAMETER = /[0-9@=]|:\/\/|\w\.[a-z]{2}/;

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}";
const CLOCK = "(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?: ?[AaPp][Mm]\\b)?";
const ZONE = "(?: ?(?:Z|UTC|GMT|[A-Z]{2,4}T)?(?:[+-]\\d{2}:?\\d{2})?)(?: \\([A-Za-z ]{2,40}\\))?";

/** Words that are properties in half of all code (`console.info`, `cart.items.app`) end a host name only with a hyphen in it. */
const TOP_LEVEL =
  "com|net|org|edu|gov|mil|io|co|uk|de|fr|nl|eu|ru|jp|cn|br|au|ca|ch|se|cz|kr|tw|mx|za|nz|ie|pt|gr|tr|ua|hu|ro|dk|biz|xyz|cloud";
const TOP_LEVEL_AMBIGUOUS = `${TOP_LEVEL}|app|dev|info|me|us|in|it|es|be|at|no|pl|fi|ai|tv|cc|sh|id|online|site|store|tech|local|internal|lan|corp|example|test`;
/** At least two characters: `e.de` is minified code. */
const LABEL = "[A-Za-z0-9][A-Za-z0-9-]{1,62}";

export const GROUPS_V1: readonly ParameterGroup[] = [
  ["email", "[A-Za-z0-9][\\w.%+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,8}"],
  ["url", "(?:wss?|https?|ftp):\\/\\/[^\\s\"'<>()\\[\\]{}`]*[^\\s\"'<>()\\[\\]{}`.,;:!?]"],
  [
    "hostname",
    `(?:${LABEL}\\.){1,8}(?:${TOP_LEVEL})(?![\\w-]|\\.\\w)|(?=[A-Za-z0-9.]{1,100}-)(?:${LABEL}\\.){1,8}(?:${TOP_LEVEL_AMBIGUOUS})(?![\\w-]|\\.\\w)`,
  ],
  [
    "ip",
    "(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?![\\w-]|\\.\\d)" +
      "|(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![\\w:])" +
      "|(?=[0-9A-Fa-f:]{0,38}\\d)(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?::(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?(?![\\w:])",
  ],
  ["traceparent", "00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\\w)|1-[0-9a-f]{8}-[0-9a-f]{24}(?!\\w)"],
  ["uuid", "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?!\\w)"],
  ["sha1", "[0-9A-Fa-f]{40}(?!\\w)"],
  ["md5", "[0-9A-Fa-f]{32}(?!\\w)"],
  [
    "date",
    [
      "datetime\\.(?:datetime|date|time)\\([^()]{0,120}\\)",
      `${DAY},? \\d{1,2}[ -]${MONTH}[ -]\\d{2,4}(?: ${CLOCK}${ZONE})?(?!\\w)`,
      `${DAY},? ${MONTH} {1,2}\\d{1,2}(?:,? \\d{4})?(?: ${CLOCK}${ZONE})?(?: \\d{4})?(?!\\w)`,
      `\\d{1,2} ${MONTH} \\d{2,4}(?: ${CLOCK}${ZONE})?(?!\\w)`,
      `${MONTH} \\d{1,2}, \\d{4}(?: ${CLOCK}${ZONE})?(?!\\w)`,
      `\\d{4}[-/](?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\\d|3[01])(?:[T ]${CLOCK}${ZONE})?(?!\\w)`,
      `(?:0?[1-9]|[12]\\d|3[01])[./](?:0?[1-9]|[12]\\d|3[01])[./]\\d{4}(?: ${CLOCK})?(?!\\w)`,
      `${CLOCK}(?![\\w:])`,
    ].join("|"),
  ],
  ["duration", "\\d+(?:\\.\\d+)? ?(?:ns|us|µs|μs|ms|s|secs?|seconds?|mins?|minutes?|hrs?|hours?)(?!\\w)"],
  ["swift_txn_id", "tx[0-9a-f]{21}-[0-9a-f]{10}(?:-\\w{1,40})?(?!\\w)"],
  [
    "hex",
    "0[xX][0-9A-Fa-f]+(?!\\w)|(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{8,128}(?!\\w)|(?=[A-F]*\\d)(?=\\d*[A-F])[0-9A-F]{8,128}(?!\\w)",
  ],
  ["git_sha", "(?=[a-f]{0,6}\\d)(?=\\d{0,6}[a-f])[0-9a-f]{7}(?!\\w)"],
  ["float", "-?\\d+\\.\\d+(?:[eE][+-]?\\d{1,4})?(?!\\w|\\.\\d)|-?\\d+[eE][+-]?\\d{1,4}(?!\\w)"],
  ["int", "-?\\d{1,3}(?:,\\d{3})+(?![\\w,])|-?\\d+(?!\\w)"],
  ["quoted_str", "(?<==)(?:'[^'\\n]{0,500}'|\"[^\"\\n]{0,500}\")"],
  ["bool", "(?<==)(?:[Tt]rue|[Ff]alse|TRUE|FALSE)(?!\\w)"],
];

const replaceV1 = createParameterizer(GROUPS_V1, MAY_HOLD_PARAMETER);
