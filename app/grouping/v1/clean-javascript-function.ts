import { createBoundedCache } from "./bounded-cache.ts";

/**
 * The name of a JavaScript function, independent of the engine. V8 writes `Cart.checkout`, `new Cart`, `Object.charge [as ring]`, `get
 * weight`; SpiderMonkey `checkout`, `Cart.prototype.checkout`, `outer/inner`; JavaScriptCore `checkout`, `weight`. These become `checkout`,
 * `Cart`, `charge`, `weight`, `inner`. Null if an engine has no name, or makes one up (`?`, `<anonymous>`, `total/labels<`, `module code`).
 */
export const cleanJavascriptFunction = createBoundedCache(clean);

/** How an engine marks a caller that is no longer on the stack: it awaits, or set a timer, or added a callback. */
export type AsyncMark = "this-frame" | "this-and-outer" | "none";

/**
 * V8 prefixes single frames with `async `. SpiderMonkey marks where the stack of the past begins (`async*run`,
 * `setTimeout handler*run`): that frame and everything outside it. The marks are only there in some engines, or only
 * with the developer tools open.
 */
export function asyncMarkOf(rawFunction: string): AsyncMark {
  if (rawFunction.startsWith("async ")) return "this-frame";
  return rawFunction.includes("*") && FIREFOX_ASYNC_MARK.test(rawFunction) ? "this-and-outer" : "none";
}

const FIREFOX_ASYNC_MARK =
  /^(?:async|promise callback|setTimeout handler|setInterval handler|[\w.]+ handler|EventListener\.handleEvent|EventHandlerNonNull|FrameRequestCallback|MutationCallback)\*/;

/** Words that stand in front of a name: constructor calls, accessors, and what the SDK's parsers leave of async frames. */
const LEADING_WORDS = /^(?:async|new|get|set|static|bound) /;
/** Bundlers number names that would clash; the number changes with every build. */
const BUNDLER_SUFFIX = /\$\d+$/;
const HERMES_ANONYMOUS = /^\?anon_\d+_/;

const NAMELESS = new Set([
  "",
  "?",
  "<anonymous>",
  "<anonymous function>",
  "Anonymous function",
  "anonymous",
  "(anonymous)",
  "(anonymous function)",
  "<unknown>",
  "<computed>",
  "<instance_members_initializer>",
  "<static_initializer>",
  "[native code]",
  "eval",
  "eval code",
  "global code",
  "module code",
]);

function clean(raw: string): string | null {
  let name = raw;
  const alias = name.indexOf(" [as ");
  if (alias > 0) name = name.slice(0, alias);
  const mark = name.lastIndexOf("*");
  if (mark >= 0 && FIREFOX_ASYNC_MARK.test(name)) name = name.slice(mark + 1);
  // `outer/<` and `outer/labels<` are functions without a name of their own; `outer/inner` has one.
  if (name.endsWith("<")) return null;
  name = name.slice(name.lastIndexOf("/") + 1);
  if (NAMELESS.has(name)) return null;
  name = name.endsWith("]") ? insideBrackets(name) : name.slice(name.lastIndexOf(".") + 1);
  while (LEADING_WORDS.test(name)) name = name.slice(name.indexOf(" ") + 1);
  name = name.replace(HERMES_ANONYMOUS, "").replace(BUNDLER_SUFFIX, "");
  return NAMELESS.has(name) ? null : name;
}

/** `Basket.[Symbol.iterator]` is called `Symbol.iterator`; an index (`handlers[key]`) is no name. */
function insideBrackets(name: string): string {
  const symbol = name.lastIndexOf("[Symbol.");
  return symbol >= 0 ? name.slice(symbol + 1, -1) : "";
}
