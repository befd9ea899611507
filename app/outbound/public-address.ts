import { BlockList, isIP } from "node:net";

/**
 * IPv4 that is not the public internet. Source: IANA's registry of special-purpose addresses (checked 2026-11), multicast and
 * reserved ranges, and the address at which Azure answers its own machines.
 */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** IPv6 is public only here: mapped, translated, local and multicast addresses all lie outside … */
const PUBLIC_V6 = "2000::/3";
/** … except Teredo and the like, 6to4 (which carry an IPv4 address), and ranges for documents. */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublic = toBlockList([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6]);
const publicV6 = toBlockList([PUBLIC_V6]);

/** True for a public IP address. False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  // With a zone it is one of a link.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return publicV6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix = ""] = range.split("/");
    list.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
