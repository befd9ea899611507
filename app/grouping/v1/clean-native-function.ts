import { createBoundedCache } from "./bounded-cache.ts";

/**
 * The name of a C, C++, Objective-C, Swift or Rust function without what changes between builds or does not name it:
 * arguments, template arguments, return type, hashes of the compiler, version suffixes. Null for the words that
 * symbolicators put where they know nothing.
 */
export const cleanNativeFunction = createBoundedCache(clean);

const NAMELESS = new Set(["", "?", "??", "<redacted>", "<unknown>", "unknown", "(unknown)", "_unknown_"]);
const RUST_HASH = /::h[0-9a-f]{16}$/;
const GLIBC_VERSION = /@{1,2}[A-Z]+_[\w.]+$/;
/** `{lambda(int)#2}`, `$_3`, `'lambda0'`: numbered in the order of the source. */
const LAMBDA = /\{lambda\([^{}]*\)#\d+\}|'lambda\d*'|\$_\d+|lambda at [^>)]*/g;
const OPERATOR = /\boperator\s*(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|<=?|>=?)/g;
/** Suffixes that compilers append to copies of a function and to blocks: `.isra.0`, `_block_invoke.466`, `$VARIANT$mp`. */
const CLONE_SUFFIX = /(?:\.(?:isra|part|constprop|cold|llvm|lto_priv)|\.\d+|\$VARIANT\$\w+)+$/;
const OBJECTIVE_C = /^(?:_{1,3}\d{1,4})?[+-]?\[/;
const METHOD_LENGTH = /^_{1,3}\d{1,4}/;
const BLOCK_NUMBER = /(_block_invoke)_\d+$/;
const QUALIFIERS = /(?: (?:const|volatile|noexcept|async|throws|&&?))+(?=::|$)/g;

/** Operators with angle brackets or parentheses in their name; private-use characters stand in while brackets are cut. */
const FIRST_STAND_IN = 0xe000;

function clean(raw: string): string | null {
  if (NAMELESS.has(raw)) return null;
  // Objective-C: the selector is the name, colons included; blocks are called after their method, with its length.
  if (OBJECTIVE_C.test(raw))
    return raw.replace(METHOD_LENGTH, "").replace(CLONE_SUFFIX, "").replace(BLOCK_NUMBER, "$1");
  const operators: string[] = [];
  let name = raw
    .replace(RUST_HASH, "")
    .replace(GLIBC_VERSION, "")
    .replace(CLONE_SUFFIX, "")
    .replace(BLOCK_NUMBER, "$1")
    .replace(LAMBDA, "lambda")
    .replace("(anonymous namespace)", "`anonymous namespace'")
    .replace(OPERATOR, (operator) => {
      operators.push(operator);
      return String.fromCharCode(FIRST_STAND_IN + operators.length - 1);
    });
  name = withoutBrackets(expandLeadingAngle(name)).replaceAll("::::", "::").replace(QUALIFIERS, "").trim();
  name = withoutReturnType(name);
  for (const [i, operator] of operators.entries()) {
    name = name.replace(String.fromCharCode(FIRST_STAND_IN + i), operator);
  }
  return NAMELESS.has(name) ? null : name;
}

/** Rust writes `<Type as Trait>::method` and `<Type<T>>::method`: the type is the part that names. */
function expandLeadingAngle(name: string): string {
  if (!name.startsWith("<")) return name;
  const end = closingBracket(name, 0, "<", ">");
  if (end < 0 || end === name.length - 1) return name;
  const inside = name.slice(1, end);
  const as = inside.indexOf(" as ");
  return `${expandLeadingAngle(as > 0 ? inside.slice(0, as) : inside)}${name.slice(end + 1)}`;
}

function closingBracket(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === open) depth += 1;
    else if (text[i] === close) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

/** Cuts `<…>` and `(…)` at any depth. The arrow of `->` closes nothing. */
function withoutBrackets(name: string): string {
  let kept = "";
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const char = name[i] ?? "";
    if (char === "<" || char === "(") depth += 1;
    else if ((char === ">" && name[i - 1] !== "-") || char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept;
}

/** `int foo` and `void ns::foo` are `foo` and `ns::foo`; Swift's `closure #1 in foo` and `foo -> Int` keep their sense. */
function withoutReturnType(name: string): string {
  const arrow = name.indexOf(" ->");
  const before = arrow > 0 ? name.slice(0, arrow) : name;
  if (SPACED_NAME.test(before)) return before;
  return before.slice(before.lastIndexOf(" ") + 1);
}

/** Names in which a space does not end a return type. */
const SPACED_NAME = / in | for |[`']|\boperator\b|^closure |\{\{/;
