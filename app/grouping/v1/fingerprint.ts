import type { Frame, SentryEvent } from "../../domain/event.ts";
import { mainStackOf } from "./crash-frame.ts";
import { platformFamily } from "./platform-family.ts";
import type { GroupingRules } from "./rules.ts";

/** One entry of a fingerprint other than `{{ default }}`. */
export interface ResolvedEntry {
  /** As the client sent it. */
  template: string;
  value: string;
}

export interface ResolvedFingerprint {
  /** Whether the default key is part of it. */
  hasDefault: boolean;
  entries: ResolvedEntry[];
}

/** Null if the fingerprint means the same as the default (protocol 6.1, 6.2). */
export function resolveFingerprint(event: SentryEvent, rules: GroupingRules): ResolvedFingerprint | null {
  const templates = event.fingerprint?.filter((entry) => entry.trim() !== "") ?? [];
  let hasDefault = false;
  const entries: ResolvedEntry[] = [];
  for (const template of templates) {
    if (DEFAULT.test(template)) hasDefault = true;
    else entries.push({ template, value: resolveEntry(template, event, rules) });
  }
  return entries.length === 0 ? null : { hasDefault, entries };
}

const DEFAULT = /^\s*\{\{\s*default\s*\}\}\s*$/;
const VARIABLE = /\{\{\s*([\w.:-]{1,220})\s*\}\}/g;

function resolveEntry(template: string, event: SentryEvent, rules: GroupingRules): string {
  if (template.includes("{{"))
    return template.replace(VARIABLE, (_token, name: string) => valueOfVariable(name, event, rules));
  const message = messageOf(event);
  return message !== null && template === message.raw ? rules.parameterizeMessage(message.template) : template;
}

function valueOfVariable(name: string, event: SentryEvent, rules: GroupingRules): string {
  if (name.startsWith("tags.")) {
    const key = name.slice("tags.".length);
    return event.tags?.find(([tag]) => tag === key)?.[1] ?? `<no-value-for-tag-${key}>`;
  }
  const resolve = VARIABLES.get(name);
  return resolve === undefined
    ? `<unrecognized-variable-${name}>`
    : (resolve(event, rules) ?? `<no-${nameOfMissing(name)}>`);
}

/** The text for an absent value: it has the short name, so that both spellings of a variable give the same key. */
function nameOfMissing(name: string): string {
  return SHORT_NAMES.get(name) ?? name.replaceAll(".", "-").replaceAll("_", "-");
}

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["error.type", "type"],
  ["error.value", "value"],
  ["raw_value", "value"],
  ["raw_message", "message"],
  ["stack.function", "function"],
  ["stack.abs_path", "path"],
  ["stack.module", "module"],
  ["stack.package", "package"],
  ["stack.filename", "filename"],
]);

type Resolver = (event: SentryEvent, rules: GroupingRules) => string | undefined;

const typeOf: Resolver = (event) => event.exception?.values.at(-1)?.type;
const rawValueOf: Resolver = (event) => event.exception?.values.at(-1)?.value;
const parameterized =
  (textOf: Resolver): Resolver =>
  (event, rules) => {
    const text = textOf(event, rules);
    return text === undefined ? undefined : rules.parameterizeMessage(text);
  };
const ofFrame =
  (pick: (frame: Frame, platform: string, rules: GroupingRules) => string | null | undefined): Resolver =>
  (event, rules) => {
    const stack = mainStackOf(event);
    const frame = stack === null ? null : rules.crashFrameOf(stack, event.platform);
    return frame === null ? undefined : (pick(frame, frame.platform ?? event.platform, rules) ?? undefined);
  };
const functionOf = ofFrame(({ function: name }, platform, { cleanFunction }) =>
  name === undefined ? null : cleanFunction(name, platformFamily(platform)),
);
const pathOf = ofFrame(({ abs_path, filename }) => abs_path ?? filename);
const moduleOf = ofFrame(({ module }) => module);
const packageOf = ofFrame(({ package: path }) =>
  path?.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1),
);

const VARIABLES: ReadonlyMap<string, Resolver> = new Map([
  ["transaction", (event) => event.transaction],
  ["message", parameterized((event, rules) => messageOf(event)?.template ?? rawValueOf(event, rules))],
  ["raw_message", (event, rules) => messageOf(event)?.raw ?? rawValueOf(event, rules)],
  ["type", typeOf],
  ["error.type", typeOf],
  ["value", parameterized(rawValueOf)],
  ["error.value", parameterized(rawValueOf)],
  ["raw_value", rawValueOf],
  ["function", functionOf],
  ["stack.function", functionOf],
  ["path", pathOf],
  ["stack.abs_path", pathOf],
  ["stack.filename", ofFrame(({ filename }) => filename)],
  ["module", moduleOf],
  ["stack.module", moduleOf],
  ["package", packageOf],
  ["stack.package", packageOf],
  ["level", (event) => event.level],
  ["logger", (event) => event.logger],
  ["release", (event) => event.release],
  ["environment", (event) => event.environment],
  ["default", () => "{{ default }}"],
]);

/** The template, which is what groups, and the text that people read. */
export function messageOf(event: SentryEvent): { template: string; raw: string } | null {
  const template = event.logentry?.message || event.logentry?.formatted;
  return template ? { template, raw: event.logentry?.formatted || template } : null;
}
