import { createParameterizer, GROUPS_V1, type ParameterGroup } from "../v1/parameterize-message.ts";

/**
 * More parts that differ between occurrences, in addition to version 1: ids of more makers, names of pods, paths of temporary files, sizes,
 * versions, and numbers at the end of a name. Each contains a digit, or is in a temporary folder.
 */
const BEFORE: readonly ParameterGroup[] = [
  [
    "temp_path",
    "(?:/(?:private/)?(?:tmp|var/tmp|var/folders/[\\w+]{2}/[\\w+]{1,40}/T)/|[A-Za-z]:\\\\(?:[^\\\\\\s\"']{1,80}\\\\){0,8}Temp\\\\)[^\\s\"'<>():,;]{1,300}",
  ],
  ["mac", "(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\\w:])|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}(?![\\w-])"],
  ["ulid", "(?=[A-Z]{0,25}\\d)[0-7][0-9A-HJKMNP-TV-Z]{25}(?!\\w)"],
  ["savepoint", "(?:s\\d{6,20}_x\\d{1,9}|(?:sa_savepoint|active_record|__sp)_\\d{1,9})(?!\\w)"],
  // Stripe and those that do it alike: a short kind, perhaps `test` or `live`, and letters and digits of both cases.
  ["id", "[a-z]{2,12}_(?:(?:test|live)_)?(?=(?:[A-Za-z]{0,60}\\d){2})(?=[0-9a-z]{0,60}[A-Z])[A-Za-z0-9]{14,64}(?!\\w)"],
  // Stripe's ids of 14 letters and digits. Every fourth of them has only one digit, and the names of their kinds make up for the missing
  // one.
  [
    "id",
    "(?:acct|card|ch|cs|cus|evt|in|pi|pm|po|price|prod|py|re|req|seti|si|src|sub|tok|tr|txn)_(?:(?:test|live)_)?(?=[a-z0-9]{0,60}[A-Z])(?=[0-9A-Z]{0,60}[a-z])(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{14,64}(?!\\w)",
  ],
  // `api-7d4b9c6f5d-x2x7k` of a deployment: Kubernetes makes both ends of letters that spell no words.
  [
    "pod",
    "[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){0,6}-(?=[a-z]{0,9}\\d)[bcdf2456789ghjklmnpqrstvwxz]{8,10}-[bcdf2456789ghjklmnpqrstvwxz]{5}(?![\\w-])",
  ],
  ["size", "\\d+(?:\\.\\d+)?(?: ?(?:[kKMGTP]i?B|[kKMGT]i?[bB]ytes|[bB]ytes)|[BKMG])(?!\\w)"],
];

/** Replaced after addresses and dates, because parts of those look the same, and before numbers. */
const VERSION: ParameterGroup = [
  "version",
  "v\\d{1,5}(?:\\.\\d{1,5}){1,3}(?:[-+][0-9A-Za-z.]{1,40})?(?![\\w.]\\w)|\\d{1,5}\\.\\d{1,5}\\.\\d{1,6}(?:[-+][0-9A-Za-z.]{1,40})?(?![\\w.]\\w)",
];

const AFTER: readonly ParameterGroup[] = [
  // Base64 with its sign at the end, or with so many digits that it is no name.
  [
    "base64",
    "[A-Za-z0-9+/]{18,2000}={1,2}(?![\\w+/=])|(?=(?:[A-Za-z]{0,60}\\d){3})(?=[a-z0-9]{0,60}[A-Z])(?=[A-Z0-9]{0,60}[a-z])[A-Za-z0-9]{24,2000}(?![\\w+/=])",
  ],
  [
    "nanoid",
    "(?=(?:[A-Za-z_-]{0,20}\\d){2})(?=[a-z0-9_-]{0,20}[A-Z])(?=[A-Z0-9_-]{0,20}[a-z])[A-Za-z0-9_-]{21}(?![\\w-])",
  ],
];

const GROUPS = [
  ...BEFORE,
  ...GROUPS_V1.flatMap((group) => (group[0] === "float" ? [VERSION, group] : [group])),
  ...AFTER,
];

const replace = createParameterizer(GROUPS, /[0-9@=]|:\/\/|\w\.[a-z]{2}|\/tmp\/|\\Temp\\/);

/** See `v1/parameterize-message.ts`. */
export function parameterizeMessage(message: string): string {
  const text = replace(message);
  return text.includes("_") ? text.replace(NUMBER_AT_END, "$1<int>") : text;
}

/** `item_1234` is one of many, and `error_404` is a name. */
const NUMBER_AT_END = /(?<![\w])([A-Za-z]\w{0,60}_)\d{4,20}(?!\w)/g;
