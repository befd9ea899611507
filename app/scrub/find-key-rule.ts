import { copyText } from "../normalize/copy-text.ts";

export type ScrubRule =
  | "@password"
  | "@secret"
  | "@privatekey"
  | "@apikey"
  | "@authorization"
  | "@bearer"
  | "@credentials"
  | "@token"
  | "@csrf"
  | "@session"
  | "@session-cookie"
  | "@cookie"
  | "@creditcard"
  | "@url-password"
  /** A key that the project named. */
  | "@own"
  | "@ip";

export interface KeyRule {
  rule: ScrubRule;
  /**
   * Which values under the key are replaced. `all`: every value except booleans and null. `text`: text, also inside a list; objects are
   * searched by their own keys. `opaque`: only text that looks like an identifier, because words and printed objects are as common under
   * such keys.
   */
  covers: "all" | "text" | "opaque";
}

/** The size of the cache. Keys repeat, and the rules below take a microsecond. */
const MAX_CACHED = 10_000;
const MAX_KEY_LENGTH = 100;
const ruleByKey = new Map<string, KeyRule | null>();

/**
 * The rule for values under a key, in any spelling (`apiKey`, `API_KEY`, `X-Api-Key`, `my.api.key`). Null: the key does not suggest a
 * secret.
 */
export function findKeyRule(key: string): KeyRule | null {
  const known = ruleByKey.get(key);
  if (known !== undefined) return known;
  const rule = decideKeyRule(key);
  if (ruleByKey.size >= MAX_CACHED) ruleByKey.clear();
  if (key.length <= MAX_KEY_LENGTH) ruleByKey.set(key, rule);
  return rule;
}

/**
 * Like `findKeyRule`, for a name that was cut out of a text. The name is copied first, because a slice in the cache would keep the whole
 * text alive.
 */
export function findNameRule(name: string): KeyRule | null {
  const known = ruleByKey.get(name);
  if (known !== undefined) return known;
  return findKeyRule(name.length < MIN_SLICED_LENGTH ? name : copyText(name));
}

/** V8 copies shorter slices anyway. */
const MIN_SLICED_LENGTH = 13;

/** A part of every word that a rule below looks for. Nearly all keys fail this test, and need no other. */
const WORTH_A_LOOK = /pass|pwd|secret|key|auth|cred|token|csrf|xsrf|sess|cook|jwt|bearer|cvv|cvc|card|sid/i;

function decideKeyRule(key: string): KeyRule | null {
  if (!WORTH_A_LOOK.test(key)) return null;
  const name = toSnakeCase(key.length > MAX_KEY_LENGTH ? key.slice(-MAX_KEY_LENGTH) : key);
  if (HARMLESS.test(name)) return null;
  for (const [pattern, rule] of RULES) if (pattern.test(name)) return rule;
  return null;
}

function toSnakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^a-zA-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}

/**
 * Keys that describe a secret and do not contain one: a yes or no (`has_password`), a measure (`token_count`, `password_length`), a name or
 * place (`secret_name`, `token_url`), and tokens that are steps of a parser or pages of a list.
 */
const HARMLESS = new RegExp(
  "^(?:is|has|needs|requires?|uses?|enabled?|disabled?|shows?|hides?|can|should|allows?|with|max|min|num|total)_" +
    "|_(?:counts?|types?|length|len|size|limits?|usage|expires|expires_(?:at|in|on)|expiry|expiration|expired|ttl|at|age" +
    "|names?|urls?|uri|endpoint|path|prefix|enabled|disabled|required|valid|invalid|verified|exists|present|missing" +
    "|changed|updated|created|time|timestamp|date|days|version|algorithm|algo|policy|strength|min|max|format|fields?" +
    "|labels?|placeholder|status|state|method|provider|scheme|mode|class|index|position|errors?|length_seconds)$" +
    "|(?:key|token|secret|credentials?|password|card)_ids?$" +
    "|(?:^|_)(?:next|page|previous|prev|continuation|cancel|cancellation|pagination|sync|unexpected|syntax|start|end|stop" +
    "|first|last|eos|bos|pad|unk)_(?:page_)?tokens?$" +
    "|(?:^|_)(?:public|primary|foreign|cache|partition|sort|sentry)_key$",
);

const ALL = "all";
const RULES: ReadonlyArray<[RegExp, KeyRule]> = [
  [
    /passw(?:or)?d(?!less)|passwort|passphrase|passcode|_pwd$|(?:^|_)(?:db|database|smtp|mail|email|mysql|pg|postgres|redis|mongo|ftp|ldap|user|admin|root|login|auth|http|proxy|amqp)_?pass$/,
    { rule: "@password", covers: ALL },
  ],
  [/private_?key|signing_?key|encryption_?key/, { rule: "@privatekey", covers: ALL }],
  [/(?:^|_)secrets?(?:_|$)|(?:client|api|app|shared|consumer|token)secret$/, { rule: "@secret", covers: ALL }],
  [
    /(?:^|_|x|my)api_?key|(?:^|_)(?:app|access|account|auth|master|service|shared|subscription)_?key$/,
    { rule: "@apikey", covers: ALL },
  ],
  [
    /(?:^|_)(?:card_?number|credit_?card|credit_?card_?number|cc_?number|cvv2?|cvc2?)$/,
    { rule: "@creditcard", covers: ALL },
  ],
  [/(?:^|_)credentials?(?:_json|_data)?$/, { rule: "@credentials", covers: ALL }],
  [/(?:^|_)authorization(?:_code|_header)?$/, { rule: "@authorization", covers: ALL }],
  [/csrf|xsrf/, { rule: "@csrf", covers: "text" }],
  [/(?:^|_)(?:o?auth|jwt|bearer)(?:_header|_value|_data|_string)?$/, { rule: "@authorization", covers: "text" }],
  [
    /(?:^|_)token(?:_value|_string|_hash|_data|_raw)?$|(?:access|refresh|auth|api|id|session|bearer|user|security|reset|login|device)_?tokens?$/,
    { rule: "@token", covers: "text" },
  ],
  [
    /(?:^|_)(?:php|j|asp)?sess(?:ion)?_?(?:id|key|cookie|hash)$|(?:^|_)aspsessionid|^connect_sid$/,
    { rule: "@session", covers: "text" },
  ],
  [/(?:^|_)sess(?:ion)?$/, { rule: "@session", covers: "opaque" }],
  [/^(?:.*_)?(?:set_)?cookies?2?$/, { rule: "@cookie", covers: "text" }],
];

/** Cookies by which a server recognizes its user. */
const SESSION_COOKIE = /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|login|^connect\./i;

/** The rule for the value of a cookie. */
export function findCookieRule(name: string): ScrubRule | null {
  if (SESSION_COOKIE.test(name) || name === "Cookie") return "@session-cookie";
  return findKeyRule(name)?.rule ?? null;
}

/** Values that say that nothing is there, that it was removed already, or where a query inserts it. */
const UNREVEALING =
  /^(?:none|null|nil|undefined|true|false|\*+|''|""|\{\}|\[\]|include|same-origin|omit|%s|\?|\$\d+|%\(\w+\)s|@p\d+|:\w+)?$/i;

/** Whether a text under a telling key may be the secret itself. */
export function isRevealing(text: string): boolean {
  if (text.startsWith("[Filtered")) return false;
  return text.length > 24 || !UNREVEALING.test(text);
}

/** Whether the text is one long word with digits in it, like identifiers of sessions. */
export function isOpaque(text: string): boolean {
  return text.length >= 16 && /^[\w+/=.%:|~-]*$/.test(text) && /\d/.test(text);
}
