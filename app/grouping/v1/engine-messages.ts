/**
 * The same mistake has another message in each browser: `Cannot read properties of undefined (reading 'first')`,
 * `can't access property "first", cart.items is undefined`, `undefined is not an object (evaluating 'cart.items.first')`.
 * Where the message is part of a key, all of them must say the same. The texts were recorded in the engines
 * (`tests/fixtures/grouping/browsers/<browser>/messages.json`).
 *
 * Gives null for a message that no engine wrote. Names that only some engines give, or that a minifier changes with each
 * build (variables, not properties), are left out.
 */
export function canonicalEngineMessage(type: string | undefined, value: string): string | null {
  if (value.length > MAX_ENGINE_MESSAGE_CHARS) return null;
  const sameForType = type === undefined ? undefined : MESSAGE_BY_TYPE.get(type);
  if (sameForType !== undefined) return sameForType;
  if (RESIZE_OBSERVER.test(value)) return "ResizeObserver loop";
  // Errors that people throw themselves have the same words in all engines, and their names count.
  if (type !== undefined && !ENGINE_TYPES.has(type)) return null;
  for (const [pattern, canonical] of MESSAGES) {
    const match = pattern.exec(value);
    if (match !== null) return typeof canonical === "string" ? canonical : canonical(match);
  }
  return null;
}

/** The engines' own types where they differ: SpiderMonkey alone has `InternalError`, for the same exhausted stack. */
export function canonicalEngineType(type: string, value: string | undefined): string {
  return type === "InternalError" && value === "too much recursion" ? "RangeError" : type;
}

/** Whether the engines report this error from different places: a failed request has other frames above the call in each. */
export function isNetworkFailure(type: string | undefined, value: string): boolean {
  return type === "TypeError" && value.length <= MAX_ENGINE_MESSAGE_CHARS && NETWORK_FAILURE.test(value);
}

/** Characters. Engines quote source text and property names, but not at length. */
const MAX_ENGINE_MESSAGE_CHARS = 600;

const ENGINE_TYPES = new Set([
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "InternalError",
  "URIError",
  "AbortError",
]);

/** Reported as a plain `Error`: browsers hand it over without an exception. */
const RESIZE_OBSERVER = /^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/;

const NETWORK_FAILURE =
  /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed|Network request failed|The network connection was lost\.|The Internet connection appears to be offline\.)( \([^()]{1,200}\))?$/;

const PROPERTY_AT_END =
  /(?:\.|\?\.)#?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s?=[^=>][\s\S]*|\([\s\S]*\))?$|\[["']?([^\]"']+)["']?\](?:\s?=[^=>][\s\S]*)?$/u;

/** The subject of `cart.items.first`, `cart.items.first = 1`, `cart.pay()` and `cart.items[0]`: the last name. */
function lastName(expression: string): string {
  const match = PROPERTY_AT_END.exec(expression);
  return match?.[1] ?? match?.[2] ?? expression;
}

const nullishAccess = (property: string | undefined, what: string | undefined) =>
  property === undefined || property === "" ? `property of ${what}` : `property "${property}" of ${what}`;

const MESSAGES: ReadonlyArray<[RegExp, string | ((match: RegExpExecArray) => string)]> = [
  // Iteration first: two engines say it in the words of a property access.
  [/ is not iterable(?: \(cannot read property Symbol\(Symbol\.iterator\)\))?\.?$/, "not iterable"],
  [/^can't access property Symbol\.iterator, /, "not iterable"],
  [/^undefined is not a function \(near '\.\.\./, "not iterable"],
  [/^(?:undefined|null) is not an object \(evaluating '(?:\S+ of [^']*|\[[^']*\])'\)$/, "not iterable"],
  [/^Spread syntax requires \.\.\.iterable not be null or undefined/, "not iterable"],
  [
    /^Cannot (?:read|set) propert(?:y|ies) (?:'([^']{1,200})' )?of (undefined|null)(?: \((?:reading|setting) '([^']*)'\))?$/,
    (match) => nullishAccess(match[1] ?? match[3], match[2]),
  ],
  [
    /^can't access property (?:"([^"]{1,200})"|([\w.]+)), [\s\S]* is (undefined|null)$/,
    (match) => nullishAccess(match[1] ?? match[2], match[3]),
  ],
  [
    /^(undefined|null) is not an object \(evaluating '([\s\S]{1,400})'\)$/,
    (match) => nullishAccess(lastName(match[2] ?? ""), match[1]),
  ],
  [/^Cannot destructure property /, "cannot be destructured"],
  [/^Right side of assignment cannot be destructured$/, "cannot be destructured"],
  [/^(?:\(destructured parameter\)|[\w$.]{1,200}) is (?:undefined|null)$/, "cannot be destructured"],
  [
    /^([\s\S]{1,300}?) is not a function(?:\. \(In '[\s\S]*|\.)?$/,
    (match) => `${lastName(match[1] ?? "")} is not a function`,
  ],
  [
    /^[\s\S]{1,300} is not a constructor \(evaluating 'new ([\w$.]{1,200})[\s\S]*'\)$/,
    (match) => `${lastName(match[1] ?? "")} is not a constructor`,
  ],
  [/^([\w$.]{1,200}) is not a constructor$/, (match) => `${lastName(match[1] ?? "")} is not a constructor`],
  [/^([\w$]{1,200}) is not defined$/, (match) => `${match[1]} is not defined`],
  [/^Can't find variable: ([\w$]{1,200})$/, (match) => `${match[1]} is not defined`],
  [/^Cannot access '[^']+' before initialization\.?$/, "used before initialization"],
  [/^can't access lexical declaration '[^']+' before initialization$/, "used before initialization"],
  [/^Cannot access uninitialized variable\.$/, "used before initialization"],
  [/^Assignment to constant variable\.$/, "assignment to what is read-only"],
  [/^invalid assignment to const '[^']+'$/, "assignment to what is read-only"],
  [/^Attempted to assign to readonly property\.$/, "assignment to what is read-only"],
  [/^Cannot assign to read only property /, "assignment to what is read-only"],
  [/^Cannot add property .{1,200}, object is not extensible$/, "assignment to what is read-only"],
  [/^Cannot set property .{1,200} which has only a getter$/, "assignment to what is read-only"],
  [/^"[^"]{1,200}" is read-only$/, "assignment to what is read-only"],
  [/^setting getter-only property /, "assignment to what is read-only"],
  [
    /^can't define array index property past the end of an array with non-writable length$/,
    "assignment to what is read-only",
  ],
  [/^(?:Maximum call stack size exceeded\.?|too much recursion)$/, "stack exhausted"],
  [/^(?:[Ii]nvalid array length|Array length must be a positive integer of safe magnitude\.)$/, "invalid array length"],
  [/^(?:Invalid time value|invalid date|Invalid Date)$/, "invalid date"],
  [/^JSON(?:\.parse: | Parse error: )/, "not valid JSON"],
  [
    / is not valid JSON$|^Unexpected (?:end of JSON input|token .{1,20} in JSON at position \d+)$|^Unexpected non-whitespace character after JSON/,
    "not valid JSON",
  ],
  [
    /^Converting circular structure to JSON|^cyclic object value$|^JSON\.stringify cannot serialize cyclic structures\.$/,
    "circular structure in JSON",
  ],
  [/^(?:[Cc]annot|can't) convert (?:a )?[Ss]ymbol (?:value )?to (?:a )?string$/, "symbol used as a string"],
  [/^(?:Cannot convert undefined or null|can't convert (?:undefined|null)) to object$/, "null used as an object"],
  [/^[Rr]educe of empty array with no initial value$/, "reduce of empty array"],
  [/^(?:URI malformed|malformed URI sequence|URI error)$/, "malformed URI"],
  [
    /^(?:Cannot mix BigInt and other types|can't convert BigInt to number|Invalid mix of BigInt)/,
    "BigInt mixed with other types",
  ],
  [
    /^(?:Do not know how to serialize a BigInt|BigInt value can't be serialized in JSON|JSON\.stringify cannot serialize BigInt)/,
    "BigInt in JSON",
  ],
  [
    /^(?:Failed to construct 'URL': Invalid URL|URL constructor: .{1,300} is not a valid URL\.|".{1,300}" cannot be parsed as a URL\.)$/,
    "invalid URL",
  ],
  [
    /^(?:Failed to fetch|error loading) dynamically imported module: |^Importing a module script failed\.$/,
    "module could not be loaded",
  ],
  [
    /^(?:signal is aborted without reason|The user aborted a request\.|The operation was aborted\. ?|Fetch is aborted|AbortError)$/,
    "aborted",
  ],
  [NETWORK_FAILURE, (match) => `network request failed${match[1] ?? ""}`],
];

/** Exceptions of the DOM whose name is enough, while each engine has another sentence for them. */
const MESSAGE_BY_TYPE: ReadonlyMap<string, string> = new Map([
  ["NotFoundError", "not found"],
  ["InvalidCharacterError", "invalid character"],
  ["DataCloneError", "cannot be cloned"],
  ["NotAllowedError", "not allowed"],
  ["QuotaExceededError", "quota exceeded"],
  ["HierarchyRequestError", "wrong place in the tree"],
]);
