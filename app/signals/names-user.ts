import { MIB } from "../domain/bytes.ts";
import { isRecord } from "../domain/is-record.ts";
import type { NamedUser } from "../domain/named-user.ts";
import { parseIpAddress } from "../normalize/parse-ip-address.ts";
import { parseJson } from "../protocol/parse-json.ts";
import { decodeStoredItem } from "../protocol/stored-item.ts";
import { toUserKey } from "./error/user-key.ts";
import type { Json } from "./item-summary.ts";
import { toSessionUserId } from "./session/session.ts";

/** Larger ones are stored unread, too. */
const MAX_PARSED_BYTES = 16 * MIB;

/** Item types without user data of their own. Those of an event or a replay are deleted with it. */
const SILENT_TYPES: ReadonlySet<string> = new Set([
  "attachment",
  "check_in",
  "client_report",
  "replay_recording",
  "replay_video",
  "statsd",
]);

/** Finds what one user has sent. */
export class UserMatcher {
  /** See `EventRow.userKey`: an event with one of these is the user's. In lower case where `ignoresCase`. */
  readonly userKeys: readonly string[];
  readonly ignoresCase: boolean;
  /** See `SessionRow.userId`. A hash knows no large and small letters: as it was typed, and in small ones. */
  readonly sessionUserIds: readonly string[];
  /** The attribute names of spans and logs for this user field, and the values to look for. */
  readonly named: { field: NamedUser["field"]; values: readonly string[] };
  readonly #user: NamedUser;
  readonly #address: string | null;
  /** A text that every payload with the user contains. Null: the same value may be written in several ways. */
  readonly #needle: string | null;

  constructor(user: NamedUser) {
    this.#user = user;
    const { field, value } = user;
    this.ignoresCase = field === "email";
    this.#address = field === "address" ? toCanonicalAddress(value) : null;
    const key = toUserKey({ [field === "address" ? "ip_address" : field]: value });
    const keys = key === null ? [] : [key, ...(this.#address === null ? [] : [`ip:${this.#address}`])];
    this.userKeys = [...new Set(this.ignoresCase ? keys.map((each) => each.toLowerCase()) : keys)];
    this.sessionUserIds = [...new Set([value, this.#fold(value)])].flatMap((each) => toSessionUserId(each) ?? []);
    const values = [this.#fold(value), ...(this.#address === null ? [] : [this.#address])];
    this.named = { field, values: [...new Set(values)] };
    const isPlain = /^[\w.@+-]+$/.test(value);
    this.#needle = isPlain && !(this.#address?.includes(":") ?? false) ? this.#fold(value) : null;
  }

  /** Whether an event with this key is the user's. Null: only its payload can tell. */
  isKeyOf(userKey: string | null): boolean | null {
    if (userKey === null) return false;
    const { field } = this.#user;
    if (this.userKeys.includes(this.#fold(userKey))) return true;
    // The key is the first of id, e-mail, name and address that the event has, so the key tells nothing about the fields behind it.
    if (field === "id") return false;
    if (field === "email") return userKey.startsWith("id:") ? null : false;
    return userKey.startsWith("ip:") ? this.#isAddress(userKey.slice(3)) : null;
  }

  /** Whether a stored error event names the user. */
  isEventOf(payload: Uint8Array): boolean {
    if (!this.#mayName(payload)) return false;
    const stored = toJson(payload);
    return isRecord(stored) && isRecord(stored.event) && this.#isUser(stored.event.user);
  }

  /** Whether items of this type tell whose they are. */
  isReadable(type: string): boolean {
    return !SILENT_TYPES.has(type);
  }

  /** Whether a stored item names the user. An item that names no user counts if it came from the user's address. */
  isItemOf(payload: Uint8Array): boolean {
    if (!this.#mayName(payload)) return false;
    const { request, payload: body } = decodeStoredItem(payload);
    const value = body.length > MAX_PARSED_BYTES ? null : toJson(body);
    const json: Json = isRecord(value) ? value : {};
    if (this.#isUser(json.user) || this.#isReporter(json) || this.#isContainer(json)) return true;
    return (
      this.#address !== null &&
      !hasAddress(json.user) &&
      request.clientAddress !== null &&
      this.#isAddress(request.clientAddress)
    );
  }

  #isUser(user: unknown): boolean {
    if (!isRecord(user)) return this.#user.field === "id" && this.#isValue(user);
    return this.#isValue(user[this.#user.field === "address" ? "ip_address" : this.#user.field]);
  }

  /** Feedback about an error names its author. */
  #isReporter({ email, contexts }: Json): boolean {
    if (this.#user.field !== "email") return false;
    const feedback = isRecord(contexts) ? contexts.feedback : null;
    return this.#isValue(email) || (isRecord(feedback) && this.#isValue(feedback.contact_email));
  }

  /**
   * Logs, spans and metrics have the user among their attributes, a transaction those of its own span, and one that an earlier version
   * has stored those of its other spans. A container and a transaction go as a whole.
   */
  #isContainer(json: Json): boolean {
    const parts: unknown[] = Array.isArray(json.items) ? [...json.items] : [json];
    if (isRecord(json.contexts)) parts.push(json.contexts.trace);
    if (Array.isArray(json.spans)) parts.push(...json.spans);
    const names = this.#user.field === "address" ? ["user.ip_address", "client.address"] : [`user.${this.#user.field}`];
    return parts.some((part) => {
      if (!isRecord(part)) return false;
      return [part.attributes, part.data, part.tags].some((facts) =>
        readFacts(facts, names).some((fact) => this.#isValue(readAttribute(fact))),
      );
    });
  }

  #isValue(value: unknown): boolean {
    if (typeof value !== "string" && typeof value !== "number") return false;
    const text = String(value).trim();
    return this.#address === null ? this.#fold(text) === this.#fold(this.#user.value) : this.#isAddress(text);
  }

  #isAddress(text: string): boolean {
    return this.#address !== null && toCanonicalAddress(text) === this.#address;
  }

  #fold(text: string): string {
    return this.ignoresCase ? text.toLowerCase() : text;
  }

  /** A quick test before parsing: parsing takes ten times as long as searching for the value. */
  #mayName(payload: Uint8Array): boolean {
    if (this.#needle === null) return true;
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    // A payload with escapes may spell the value differently.
    if (text.includes("\\u")) return true;
    return this.ignoresCase
      ? text.toString("latin1").toLowerCase().includes(this.#needle)
      : text.includes(this.#needle);
  }
}

/** The canonical form of an address. Null: the text is no address. */
function toCanonicalAddress(text: string): string | null {
  const address = parseIpAddress(text);
  if (address === null || !address.includes(":")) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function hasAddress(user: unknown): boolean {
  return isRecord(user) && typeof user.ip_address === "string" && parseIpAddress(user.ip_address) !== null;
}

/** The values under these names: of an object, or of a list of `[name, value]` or `{key, value}`, which is how some SDKs send tags. */
function readFacts(facts: unknown, names: readonly string[]): unknown[] {
  if (isRecord(facts)) return names.map((name) => facts[name]);
  if (!Array.isArray(facts)) return [];
  return facts.flatMap((fact) => {
    const [name, value] = Array.isArray(fact) ? fact : isRecord(fact) ? [fact.key, fact.value] : [];
    return names.includes(name) ? [value] : [];
  });
}

/** Attributes are values, or `{value, type}`. */
function readAttribute(attribute: unknown): unknown {
  return isRecord(attribute) ? attribute.value : attribute;
}

function toJson(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  return parsed.ok ? parsed.value : null;
}
