import { cutText } from "../cut-text.ts";
import { isRecord } from "../is-record.ts";

/** What a span says about a call of a language model, of one of its tools, or of an agent. */
export interface ModelCall {
  /** The model that answered. If the answer does not name one, the model that was asked for. */
  model: string | null;
  provider: string | null;
  tokens: TokenCounts | null;
  /** At most `MAX_MESSAGES`, the last ones, in their order. */
  messages: ModelMessage[];
  messageCount: number;
  /** Attributes whose values are in `messages`. */
  keys: string[];
}

export interface TokenCounts {
  input: number | null;
  /** How many tokens of the input came from a cache. */
  cached: number | null;
  output: number | null;
  /** How many tokens of the output were reasoning. */
  reasoning: number | null;
}

export interface ModelMessage {
  /** `system`, `user`, `assistant`, `tool`, or another word that was sent. */
  role: string;
  text: string;
}

const MAX_MESSAGES = 50;
/** Characters of one message. The raw span has the whole text. */
const MAX_MESSAGE = 10_000;
const MAX_ROLE = 40;

/** Attributes with messages, in the order of the conversation: the newest name first, then those of older SDKs. */
const MESSAGES: ReadonlyArray<{ role: string; keys: readonly string[] }> = [
  { role: "system", keys: ["gen_ai.system_instructions"] },
  { role: "user", keys: ["gen_ai.input.messages", "gen_ai.request.messages", "gen_ai.prompt"] },
  { role: "user", keys: ["gen_ai.embeddings.input"] },
  { role: "input", keys: ["gen_ai.tool.call.arguments", "gen_ai.tool.input"] },
  { role: "output", keys: ["gen_ai.tool.call.result", "gen_ai.tool.output"] },
  { role: "assistant", keys: ["gen_ai.output.messages", "gen_ai.response.text", "gen_ai.completion"] },
  { role: "assistant", keys: ["gen_ai.response.tool_calls"] },
];

const COUNTS: Readonly<Record<keyof TokenCounts, readonly string[]>> = {
  input: ["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"],
  cached: ["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.input_tokens.cached"],
  output: ["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"],
  reasoning: ["gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.output_tokens.reasoning"],
};

/** Null: the span is not about a model. */
export function readModelCall(attributes: Readonly<Record<string, unknown>>): ModelCall | null {
  const own = Object.keys(attributes).some((key) => key.startsWith("gen_ai."));
  if (!own) return null;
  const messages: ModelMessage[] = [];
  const used: string[] = [];
  for (const { role, keys } of MESSAGES) {
    const key = keys.find((each) => attributes[each] !== undefined && attributes[each] !== "");
    if (key === undefined) continue;
    const read = readMessages(parse(attributes[key]), role);
    if (read.length === 0) continue;
    messages.push(...read);
    used.push(key);
  }
  const counts = Object.entries(COUNTS).map(([name, keys]) => [name, readCount(attributes, keys)]);
  const call = {
    model: readText(attributes, ["gen_ai.response.model", "gen_ai.request.model"]),
    provider: readText(attributes, ["gen_ai.provider.name", "gen_ai.system"]),
    tokens: counts.some(([, count]) => count !== null) ? (Object.fromEntries(counts) as TokenCounts) : null,
    messages: messages
      .slice(-MAX_MESSAGES)
      .map(({ role, text }) => ({ role: cutText(role, MAX_ROLE), text: cutText(text, MAX_MESSAGE) })),
    messageCount: messages.length,
    keys: used,
  };
  return call.model === null && call.tokens === null && messages.length === 0 ? null : call;
}

/** SDKs send lists as JSON. A text that is not JSON, or was cut, is a message as it is. */
function parse(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** @param role of those that name none */
function readMessages(value: unknown, role: string): ModelMessage[] {
  if (!Array.isArray(value)) {
    const text = toText(value);
    return text === "" ? [] : [{ role: isRecord(value) ? roleOf(value, role) : role, text }];
  }
  if (value.some((each) => isRecord(each) && typeof each.role === "string"))
    return value.flatMap((each) => readMessages(each, role));
  const text = value.map(toText).filter(Boolean).join("\n");
  return text === "" ? [] : [{ role, text }];
}

function roleOf({ role }: Record<string, unknown>, other: string): string {
  return typeof role === "string" ? role : other;
}

/** The text of a message, or of a part of one. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(toText).filter(Boolean).join("\n");
  if (!isRecord(value)) return value === null || value === undefined ? "" : String(value);
  const calls = Array.isArray(value.tool_calls) ? value.tool_calls.map(toText) : [];
  const text = toPartText(value);
  return [text, ...calls].filter(Boolean).join("\n");
}

function toPartText(part: Record<string, unknown>): string {
  const { type, role } = part;
  const callee = isRecord(part.function) ? part.function : part;
  const name = callee.name ?? callee.toolName ?? callee.tool_name;
  const input = callee.arguments ?? callee.input ?? callee.args;
  if (typeof name === "string" && input !== undefined && part.output === undefined && part.result === undefined)
    return `${name}(${toJson(input)})`;
  const content = part.parts ?? part.content ?? part.text;
  if (content !== undefined && content !== null) return toText(content);
  const result = part.output ?? part.result ?? part.response;
  if (result !== undefined) return toJson(isRecord(result) && "value" in result ? result.value : result);
  if (role !== undefined) return "";
  return typeof type === "string" && Object.keys(part).length > 1 ? `[${type}] ${toJson(part)}` : toJson(part);
}

function toJson(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function readText(attributes: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  const text = keys.map((key) => attributes[key]).find((value) => typeof value === "string" && value !== "");
  return text === undefined ? null : cutText(String(text), 200);
}

function readCount(attributes: Readonly<Record<string, unknown>>, keys: readonly string[]): number | null {
  const count = keys.map((key) => Number(attributes[key] ?? Number.NaN)).find((each) => Number.isFinite(each));
  return count ?? null;
}
