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
   * What under the key is replaced: `all` is whatever stands there but booleans and null; `text` is text, also in a
   * list, while objects are looked into; `opaque` is text that looks like an identifier, because words and printed
   * objects stand under such keys just as often.
   */
  covers: "all" | "text" | "opaque";
}

/** Keys recur; the rules below take a microsecond. */
const MAX_CACHED = 10_000;
const MAX_KEY_LENGTH = 100;
const ruleByKey = new Map<string, KeyRule | null>();

/**
 * The rule for values under a key, whatever its spelling (`apiKey`, `API_KEY`, `X-Api-Key`, `my.api.key`); null for a
 * key that promises nothing secret.
 */
export function findKeyRule(key: string): KeyRule | null {
  const known = ruleByKey.get(key);
  if (known !== undefined) return known;
  const rule = decideKeyRule(key);
  if (ruleByKey.size >= MAX_CACHED) ruleByKey.clear();
  if (key.length <= MAX_KEY_LENGTH) ruleByKey.set(key, rule);
  return rule;
}

/** As `findKeyRule` for a name that was cut out of a text: kept in the cache as it is, it would keep the whole text alive. */
export function findNameRule(name: string): KeyRule | null {
  const known = ruleByKey.get(name);
  if (known !== undefined) return known;
  return findKeyRule(name.length < MIN_SLICED_LENGTH ? name : copyText(name));
}

/** V8 copies shorter cuttings. */
const MIN_SLICED_LENGTH = 13;

/** Some part of every word that a rule below looks for: nearly all keys are done with after this. */
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
 * Keys that speak about a secret instead of holding one: a yes or no (`has_password`), a measure (`token_count`,
 * `password_length`), a name or place (`secret_name`, `token_url`), and tokens that are steps of a reader or pages of a
 * list.
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

/** Cookies that a server knows its user by. */
const SESSION_COOKIE = /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|login|^connect\./i;

/** The rule for the value of a cookie. */
export function findCookieRule(name: string): ScrubRule | null {
  if (SESSION_COOKIE.test(name) || name === "Cookie") return "@session-cookie";
  return findKeyRule(name)?.rule ?? null;
}

/** What says that there is nothing, that it was taken out already, or where a query will put it. */
const UNREVEALING =
  /^(?:none|null|nil|undefined|true|false|\*+|''|""|\{\}|\[\]|include|same-origin|omit|%s|\?|\$\d+|%\(\w+\)s|@p\d+|:\w+)?$/i;

/** Whether a text under a telling key could be the secret itself. */
export function isRevealing(text: string): boolean {
  if (text.startsWith("[Filtered")) return false;
  return text.length > 24 || !UNREVEALING.test(text);
}

/** One long word with digits in it, as identifiers of sessions are. */
export function isOpaque(text: string): boolean {
  return text.length >= 16 && /^[\w+/=.%:|~-]*$/.test(text) && /\d/.test(text);
}
