import { parseEmail } from "../notification.ts";
import type { ChannelKind, ChannelValues } from "./channel.ts";
import { CHANNEL_KIND_WORDS, type ChannelField } from "./channel-kinds.ts";

const MAX_VALUE_LENGTH = 2_000;

export type ReadChannelFields =
  | { ok: true; settings: ChannelValues; secrets: ChannelValues }
  /** `message` is for people. */
  | { ok: false; field: string; message: string };

/**
 * The typed fields of a kind, checked. A secret that is left empty stays as `saved` has it; another field that is left empty is
 * absent.
 */
export function readChannelFields(
  kind: ChannelKind,
  typed: (name: string) => string,
  saved: ChannelValues = {},
): ReadChannelFields {
  const settings: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const field of CHANNEL_KIND_WORDS[kind].fields) {
    const { name } = field;
    const byDefault = field.isSecret ? (saved[name] ?? "") : (field.choices?.[0]?.[0] ?? "");
    const text = typed(name).trim() || byDefault;
    if (text === "") {
      if (!field.isOptional) return { ok: false, field: name, message: "Fill this in." };
      continue;
    }
    const checked = checkValue(field, text);
    if (!checked.ok) return { ok: false, field: name, message: checked.message };
    (field.isSecret ? secrets : settings)[name] = checked.value;
  }
  return { ok: true, settings, secrets };
}

function checkValue(field: ChannelField, text: string): { ok: true; value: string } | { ok: false; message: string } {
  if (text.length > MAX_VALUE_LENGTH) return { ok: false, message: `At most ${MAX_VALUE_LENGTH} characters.` };
  // Values become parts of headers and addresses.
  if (/\p{Cc}/u.test(text)) return { ok: false, message: "Control characters are not allowed." };
  switch (field.type) {
    case "url":
      return checkUrl(text);
    case "email": {
      const address = parseEmail(text)?.toLowerCase();
      return address === undefined
        ? { ok: false, message: `“${text.slice(0, 80)}” is not an address of e-mail.` }
        : { ok: true, value: address };
    }
    case "choice":
      return field.choices?.some(([value]) => value === text)
        ? { ok: true, value: text }
        : { ok: false, message: `Choose one of ${field.choices?.map(([value]) => value).join(", ")}.` };
    default:
      return field.pattern?.test(text) === false
        ? { ok: false, message: field.wrong ?? "This does not look right." }
        : { ok: true, value: text };
  }
}

function checkUrl(text: string): { ok: true; value: string } | { ok: false; message: string } {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, message: "Give the whole address, beginning with https:// or http://." };
  if (url.username !== "" || url.password !== "")
    return { ok: false, message: "User and password in the address are not sent." };
  return { ok: true, value: url.href };
}

/** A description of a channel's target for people: enough to recognise it, without secrets. */
export function describeTarget(kind: ChannelKind, settings: ChannelValues, secrets: ChannelValues): string {
  for (const { name, isSecret, isOptional, type, placeholder } of CHANNEL_KIND_WORDS[kind].fields) {
    // An address that was left out is the one that the form shows.
    const value = (isSecret ? secrets : settings)[name] ?? (isOptional && type === "url" ? placeholder : undefined);
    if (value === undefined || type === "choice" || (isSecret && type !== "url")) continue;
    return type === "url" ? maskUrl(value) : value;
  }
  return "";
}

/** Host and last characters. */
function maskUrl(text: string): string {
  const { origin, href } = new URL(text);
  const rest = href.slice(origin.length);
  return rest.length > 12 ? `${origin}/…${rest.slice(-4)}` : `${origin}/…`;
}
