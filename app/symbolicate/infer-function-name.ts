import { type BracketFrame, FRAME, MEMBER } from "./bracket-frame.ts";
import type { NamePart } from "./function-scopes.ts";
import { TOKEN } from "./javascript-lexer.ts";
import type { RecentTokens } from "./recent-tokens.ts";

export interface InferredName {
  /** Outermost first; empty: none. */
  names: NamePart[];
  /** The function that takes it as an argument. */
  wrapper: NamePart | null;
}

/** The name in `a.b.c = function`, and in nested objects. */
const MAX_NAME_PARTS = 5;
/** How many tokens back nested calls are followed. */
const MAX_CALL_TOKENS = 32;
/** Name parts that do not help to name a function. */
const IGNORED_PARTS = new Set(["this", "exports", "module", "prototype", "self", "window", "globalThis"]);

/**
 * Infers the name of a function, class or object from the code around it. It begins `skipped` tokens before the present token. `top`: the
 * innermost bracket around it.
 */
export function inferFunctionName(tokens: RecentTokens, top: BracketFrame, skipped: number): InferredName {
  const back = skipped + 1;
  if (tokens.kind(back) === TOKEN.assign) return { names: namesOfTarget(tokens, top, back), wrapper: null };
  if (tokens.isPunctuator(back, ":")) return { names: namesOfKey(tokens, top), wrapper: null };
  // The called function decides how its argument is named. The name in the call is not the argument's own.
  const isFirst = tokens.isPunctuator(back, "(");
  const wrapper = isFirst || tokens.isPunctuator(back, ",") ? top.callee : null;
  return { names: isFirst && wrapper !== null ? namesOfCall(tokens, top, back) : [], wrapper };
}

/** Last name of what the parenthesis at hand calls: of `(0, a.wrap)(`, too. */
export function calleeBefore(tokens: RecentTokens): NamePart {
  return tokens.part(tokens.isPunctuator(1, ")") ? 2 : 1);
}

/** The name of a member: the name of its owner, and its own. */
export function namesOfMember({ names, key }: BracketFrame): NamePart[] {
  return key === null ? [] : [...names.slice(1 - MAX_NAME_PARTS), key];
}

/** The names in front of an assignment. */
function namesOfTarget(tokens: RecentTokens, top: BracketFrame, back: number): NamePart[] {
  if (top.type === FRAME.class && top.member === MEMBER.value && top.key !== null) return namesOfMember(top);
  const parts: NamePart[] = [];
  for (let at = back + 1; parts.length < MAX_NAME_PARTS; at += 2) {
    const kind = tokens.kind(at);
    const hasObject = tokens.isPunctuator(at + 1, ".");
    if (kind !== TOKEN.identifier && !(kind === TOKEN.keyword && hasObject)) break;
    if (!IGNORED_PARTS.has(tokens.text(at))) parts.unshift(tokens.part(at));
    // `module.exports =` has no name, and `a.prototype = ` has no name of its own.
    else if (parts.length === 0) return [];
    if (!hasObject) break;
  }
  return parts;
}

/** The key that a value of an object literal stands after. */
function namesOfKey(tokens: RecentTokens, top: BracketFrame): NamePart[] {
  if (top.type !== FRAME.object || top.member !== MEMBER.value || top.key === null) return [];
  // A key and its colon must be the last that was read: `a: b ? c : function` has another colon.
  const isLast = tokens.start(2) === top.key.start || tokens.start(3) === top.key.start;
  return isLast ? namesOfMember(top) : [];
}

/** `x = wrap(function`: the function is passed to another one, and the result has a name. */
function namesOfCall(tokens: RecentTokens, top: BracketFrame, back: number): NamePart[] {
  let at = back + 1;
  // `(0, a.wrap)(`
  const isGrouped = tokens.isPunctuator(at, ")");
  if (isGrouped) at++;
  if (tokens.kind(at) !== TOKEN.identifier) return [];
  while (tokens.isPunctuator(at + 1, ".") && tokens.kind(at + 2) === TOKEN.identifier) at += 2;
  at++;
  if (isGrouped) {
    if (!tokens.isPunctuator(at, ",") || !tokens.isPunctuator(at + 2, "(")) return [];
    at += 3;
  }
  if (tokens.kind(at) === TOKEN.assign) return namesOfTarget(tokens, top, at);
  // `x = wrap(wrap(function`
  return tokens.isPunctuator(at, "(") && at < MAX_CALL_TOKENS ? namesOfCall(tokens, top, at) : [];
}
