import { isIP } from "node:net";

/**
 * The first valid address in a value: a text, also with a port, a zone, brackets or several addresses after commas, or a list of such
 * texts. IPv4 mapped into IPv6 becomes plain IPv4. Null when there is none.
 */
export function parseIpAddress(value: unknown): string | null {
  if (typeof value === "string") {
    if (isIP(value) === 4) return value;
    if (value.length > 1_000) return null;
    for (const part of value.split(",")) {
      const address = parseOne(part.trim());
      if (address !== null) return address;
    }
    return null;
  }
  if (!Array.isArray(value)) return null;
  for (const entry of value.slice(0, 20)) {
    const address = typeof entry === "string" ? parseIpAddress(entry) : null;
    if (address !== null) return address;
  }
  return null;
}

function parseOne(text: string): string | null {
  const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/%.*$/, "");
  const candidate = /^[\d.]+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare;
  const version = isIP(candidate);
  if (version === 0) return null;
  const mapped = version === 6 ? /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(candidate) : null;
  return mapped?.[1] ?? candidate;
}
