import { isUtf8 } from "node:buffer";
import { BlockList, isIP } from "node:net";
import { parseAddressRange } from "../address-range.server.ts";
import { type AddressedRequest, readClientAddress } from "../domain/client-address.ts";
import { type ProxyHeaders, type ProxyIdentity, readProxyIdentity } from "../domain/people/proxy-identity.ts";

/** The parts of a `node:http` request that are read and changed. */
export interface IdentityRequest extends AddressedRequest {
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
}

/**
 * Removes the identity headers from each request, whoever sent it. So no later code can read such a header, and no new reader can forget
 * the check. Returns the identity if the sender may set one: the address of the socket is in one of the `from` ranges (`X-Forwarded-For`
 * does not count), and no header occurs twice.
 */
export function createProxyIdentityReader({
  from,
  headers,
}: {
  from: readonly string[];
  headers: ProxyHeaders;
}): (req: IdentityRequest) => ProxyIdentity | null {
  const trusted = toBlockList(from);
  const names = new Set(Object.values(headers).map(toComparable));
  return (req) => {
    const found = takeHeaders(req, names);
    const address = readClientAddress(req, false);
    if (found.length === 0 || address === null || !isInList(trusted, address)) return null;
    const exact = found.filter(([name]) => Object.values(headers).includes(name));
    if (new Set(exact.map(([name]) => name)).size < exact.length) return null;
    const valueIn = (name: string) => exact.find(([each]) => each === name)?.[1] ?? null;
    return readProxyIdentity({
      user: valueIn(headers.user),
      email: valueIn(headers.email),
      name: valueIn(headers.name),
      groups: valueIn(headers.groups),
    });
  };
}

/** Removes every header whose name is one of `names` or looks like one, and returns the removed ones, in the order of the request. */
function takeHeaders(req: IdentityRequest, names: ReadonlySet<string>): Array<[name: string, value: string]> {
  // Node makes these of the raw headers when they are first read.
  const { headers, rawHeaders } = req;
  const found: Array<[string, string]> = [];
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!names.has(toComparable(name))) continue;
    found.unshift([name.toLowerCase(), decodeValue(value)]);
    rawHeaders.splice(at, 2);
  }
  for (const name of Object.keys(headers)) if (names.has(toComparable(name))) delete headers[name];
  return found;
}

/**
 * Node reads each byte as a character, so UTF-8 is decoded here. An invalid value stays as it is: replacement characters would make one
 * user of two.
 */
function decodeValue(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : value;
}

/** Some servers treat `_` as `-`. */
function toComparable(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const parsed = parseAddressRange(range);
    if (!parsed) throw new Error(`${range} is no range of addresses`);
    list.addSubnet(parsed.network, parsed.prefix, `ipv${parsed.version}`);
  }
  return list;
}

function isInList(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}
