import type { FunctionScope, ScopeName } from "./function-scopes.ts";
import type { SourceMap } from "./source-map.ts";

/** Names that say nothing: the caller's word for the function is better. */
const USELESS = /^(?:\?|<anonymous>|<unknown>|<global>|__webpack_(?:require|modules)__|anonymous|default)$/;
/** Keys under which bundlers store modules: numbers and paths. */
const MODULE_KEY = /^(?:\d+|.*[/\\].*)$/;

/**
 * Functions that return their argument, or a value that stands for it: people give the function the name of the result. `items.map(…)` and
 * the like return something else.
 */
const WRAPPERS = new Set(
  (
    "memo forwardRef lazy observer useCallback useMemo useEvent useEffectEvent useMemoizedFn debounce throttle once memoize " +
    "memoizeOne cache curry partial bind action runInAction createAsyncThunk createSelector createContext defineComponent " +
    "withErrorBoundary createServerFn pipe wrap catchAsync asyncHandler"
  ).split(" "),
);

const IDENTIFIER = /^[#\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u;
const DECLARATION =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b|const\b|let\b|var\b)\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u;
/** `export default async function` with a name of some length. */
const MAX_DECLARATION_CHARACTERS = 256;

const KEYWORDS = new Set(
  "async await case class const default else export extends for function get if import in let new of return set static switch this throw try typeof var void while with yield".split(
    " ",
  ),
);

/**
 * The original name of a function of generated code: `Class.method`, `new Class`, `name`. Null if it has none, or the map does not contain
 * it.
 */
export function resolveScopeName(scope: FunctionScope, map: SourceMap): string | null {
  if (scope.wrapper !== null) {
    const wrapper = resolveName(scope.wrapper, map) ?? scope.wrapper.text;
    if (!WRAPPERS.has(wrapper.split(".").at(-1) ?? "")) return null;
  }
  const parts: string[] = [];
  for (const [index, name] of scope.names.entries()) {
    const isLast = index === scope.names.length - 1;
    const text = resolveName(name, map) ?? (isLast ? nameAtStart(scope, map) : null);
    // Without this check, a function without a name would get the name of its owner.
    if (text === null || MODULE_KEY.test(text)) {
      if (isLast) return null;
      parts.length = 0;
      continue;
    }
    if (!/^(?:prototype|exports|module)$/.test(text)) parts.push(text);
  }
  // If a minifier moves a function to its call, the function loses its name, but the map still has the place of its declaration.
  if (scope.names.length === 0 && scope.wrapper === null) parts.push(nameAtStart(scope, map) ?? "");
  const name = foldRepeatedParts(parts.join("."));
  if (name === "" || isUselessName(name)) return null;
  return scope.kind === "constructor" ? `new ${name}` : name;
}

/** Original name of the token at a position of generated code (0-based), which is the called function. */
export function nameAtCall(map: SourceMap, line: number, column: number): string | null {
  const mapping = map.find(line, column);
  // A mapping that begins earlier belongs to another token.
  if (mapping === null || mapping.generatedColumn !== column || mapping.name === null) return null;
  const name = mapping.name.split(".").at(-1) ?? "";
  return name === "" || isUselessName(name) || !/^[#\p{ID_Start}$_]/u.test(name)
    ? null
    : foldRepeatedParts(mapping.name);
}

/** The function of a frame as sent; engines write `Object.<anonymous>` for functions without a name. */
export function isUselessName(name: string | undefined): boolean {
  if (name === undefined || name === "") return true;
  const last = name.startsWith("<") ? name : (name.split(".").at(-1) ?? name);
  return USELESS.test(last);
}

/** Folds the repeated namespaces of bundlers: `a.a.f` → `{a#2}.f`. The last part stays as it is. */
export function foldRepeatedParts(name: string): string {
  const parts = name.split(".");
  const last = parts.pop() ?? "";
  const folded: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] as string;
    let count = 1;
    while (parts[at + count] === part) count++;
    folded.push(count > 1 ? `{${part}#${count}}` : part);
    at += count;
  }
  return [...folded, last].join(".");
}

function resolveName({ text, isBinding, position }: ScopeName, map: SourceMap): string | null {
  const mapping = map.find(position.line, position.column);
  const isExact = mapping !== null && mapping.generatedColumn === position.column;
  const isPrivate = text.startsWith("#");
  const isRenamed = isBinding || isPrivate;
  const original = isExact && isRenamed ? readIdentifier(map, mapping.source, mapping.line, mapping.column) : null;
  if (isExact && mapping.name !== null && mapping.name !== "") {
    // Bundlers give a class a second name for itself, and tell several of one name apart.
    const isVariant = original !== null && mapping.name.replace(/^_|[$_]?\d+$/g, "") === original;
    return isVariant ? original : mapping.name;
  }
  // Few minifiers change the names of properties.
  if (!isRenamed) return text;
  if (original !== null) return original;
  // Names of that length come from no minifier.
  return text.length >= (isPrivate ? 5 : 4) ? text : null;
}

/** The name at the beginning of a function: some tools only map that position. */
function nameAtStart({ position }: FunctionScope, map: SourceMap): string | null {
  const mapping = map.find(position.line, position.column);
  if (mapping === null || mapping.generatedColumn !== position.column) return null;
  const line = map.sourceLines(mapping.source)?.line(mapping.line);
  if (line == null) return null;
  return DECLARATION.exec(textAt(line, mapping.column))?.[1] ?? null;
}

function readIdentifier(map: SourceMap, source: number, lineIndex: number, column: number): string | null {
  const line = map.sourceLines(source)?.line(lineIndex);
  if (line == null) return null;
  const text = textAt(line, column);
  const declared = DECLARATION.exec(text)?.[1];
  if (declared !== undefined) return declared;
  const identifier = IDENTIFIER.exec(text)?.[0];
  return identifier === undefined || KEYWORDS.has(identifier) ? null : identifier;
}

/** Only a part of the line is searched: source lines may be very long, and names are short. */
function textAt(line: string, column: number): string {
  return line.slice(column, column + MAX_DECLARATION_CHARACTERS);
}
