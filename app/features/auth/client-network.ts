import { isIP } from "node:net";

/** The network of a sender: an IPv4 address, or the /64 network of an IPv6 address. `unknown` for anything else. */
export function toNetwork(address: string | null): string {
  const version = isIP(address ?? "");
  if (address === null || version === 0) return "unknown";
  if (version === 4) return address;
  // The URL parser writes each address in only one way.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
