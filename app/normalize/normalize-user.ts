import type { RequestInterface, User } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { parseIpAddress } from "./parse-ip-address.ts";
import { LIMITS, TREE_LIMITS, toTrimmedObject } from "./trimming.ts";

const USER_RULES = createFieldRules({
  id: text(LIMITS.userText),
  email: text(LIMITS.userText),
  username: text(LIMITS.userText),
  name: text(LIMITS.userText),
  ip_address: OWN,
  geo: object(TREE_LIMITS.small),
  data: OWN,
  sentry_user: { kind: "dropped" },
});

/** An SDK asks with this for the address that its request came from. */
const AUTO = "{{auto}}";
/** Platforms whose SDKs run on the user's device, so the request comes from the user's address. */
const CLIENT_SIDE_PLATFORMS = new Set(["javascript", "cocoa", "objc"]);

export interface AddressSource {
  /** Address of the request that brought the event. */
  clientAddress: string | null;
  platform: string;
  /** `sdk.settings.infer_ip`: with `never`, an SDK forbids guessing the user's address. */
  inferIp: unknown;
}

/**
 * Null when nothing is known about the user. Keys that the protocol does not name go into `data`. If the SDK asked for it, the address is
 * also filled into `request.env`. The place of `meta` is the event.
 */
export function normalizeUser(
  value: unknown,
  request: RequestInterface | null,
  source: AddressSource,
  meta: MetaRecorder,
): User | null {
  const user = toUserObject(value, meta);
  if (user !== null) {
    meta.enter("user");
    collectData(user, meta);
    normalizeFields(user, USER_RULES, meta);
  }
  const claimed = user?.ip_address;
  let address: string | null = null;
  if (claimed !== undefined && claimed !== null && claimed !== "" && claimed !== AUTO) {
    address = parseIpAddress(claimed);
    if (address === null) meta.invalid("ip_address", "expected an ip address", claimed);
  }
  if (user !== null) meta.leave();
  address ??= inferAddress(claimed === AUTO, request, source);
  if (address !== null) {
    if (user === null) return { ip_address: address };
    user.ip_address = address;
  } else if (claimed !== undefined && user !== null) user.ip_address = undefined;
  for (const key in user) {
    // Narrowed field by field above.
    if (user[key] !== undefined) return user as User;
  }
  return null;
}

function inferAddress(isAsked: boolean, request: RequestInterface | null, source: AddressSource): string | null {
  const { inferIp, platform } = source;
  const client = inferIp === "never" || source.clientAddress === null ? null : parseIpAddress(source.clientAddress);
  const env = request?.env;
  const isRemoteAsked = env?.REMOTE_ADDR === AUTO;
  if (env !== undefined && isRemoteAsked) {
    if (client === null) delete env.REMOTE_ADDR;
    else env.REMOTE_ADDR = client;
  }
  if (inferIp === "never") return null;
  if (isAsked || isRemoteAsked) return client;
  const remote = env?.REMOTE_ADDR === undefined ? null : parseIpAddress(env.REMOTE_ADDR);
  if (remote !== null) return remote;
  return inferIp === "auto" || CLIENT_SIDE_PLATFORMS.has(platform) ? client : null;
}

function toUserObject(value: unknown, meta: MetaRecorder): JsonObject | null {
  if (isNoObject(value) || value === "") return null;
  if (isRecord(value)) return value;
  const id = toLenientString(value);
  if (id === null) meta.invalid("user", "expected an object", value);
  return id === null ? null : { id };
}

/** Moves what the protocol does not name into `data`. */
function collectData(user: JsonObject, meta: MetaRecorder): void {
  let data: JsonObject | null = null;
  for (const key in user) {
    if (USER_RULES.has(key)) continue;
    const value = user[key];
    delete user[key];
    if (value === null || value === undefined || key === "__proto__") continue;
    data ??= isRecord(user.data) ? user.data : user.data === undefined ? {} : { value: user.data };
    if (!Object.hasOwn(data, key)) data[key] = value;
  }
  if (data === null && user.data === undefined) return;
  user.data = toTrimmedObject(data ?? user.data, TREE_LIMITS.small, meta, "data") ?? undefined;
}
