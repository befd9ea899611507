interface Address {
  bits: 32 | 128;
  value: bigint;
}

interface Range extends Address {
  /** The number of first bits that must be equal. */
  prefix: number;
}

/** Null: it is neither an address nor a range like `192.0.2.0/24`. */
export function readIpRange(text: string): Range | null {
  const [first = "", length, ...rest] = text.trim().split("/");
  const address = readAddress(first);
  if (address === null || rest.length > 0) return null;
  const prefix = length === undefined ? address.bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix >= 0 && prefix <= address.bits ? { ...address, prefix } : null;
}

/** Whether an address is in one of the ranges. Ranges that are none are left out. */
export function compileIpRanges(texts: readonly string[]): (address: string) => boolean {
  const ranges = texts.flatMap((text) => {
    const range = readIpRange(text);
    if (range === null) return [];
    const shift = BigInt(range.bits - range.prefix);
    return [{ bits: range.bits, shift, start: range.value >> shift }];
  });
  return (text) => {
    const address = readAddress(text);
    if (address === null) return false;
    return ranges.some(({ bits, shift, start }) => bits === address.bits && address.value >> shift === start);
  };
}

/** IPv4 addresses that are written as IPv6 ones (`::ffff:192.0.2.1`) are IPv4. */
function readAddress(text: string): Address | null {
  const ipv4 = readIpv4(text);
  if (ipv4 !== null) return { bits: 32, value: ipv4 };
  const value = text.length > 45 || !text.includes(":") ? null : readIpv6(text);
  if (value === null) return null;
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value };
}

function readIpv4(text: string): bigint | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  let value = 0n;
  for (const part of match.slice(1)) {
    if (Number(part) > 255) return null;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function readIpv6(text: string): bigint | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [before, after] = halves.map((half) => readGroups(half));
  if (!before || after === null) return null;
  const missing = 8 - before.length - (after?.length ?? 0);
  if (after === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...before, ...Array<number>(Math.max(0, missing)).fill(0), ...(after ?? [])];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** Null: one of them is none. */
function readGroups(text: string): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [at, part] of parts.entries()) {
    const ipv4 = at === parts.length - 1 ? readIpv4(part) : null;
    if (ipv4 !== null) groups.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn));
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
