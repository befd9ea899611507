import { isIP } from "node:net";

/** An address, or a range like `10.0.0.0/8`; null: neither. */
export function parseAddressRange(text: string): { network: string; prefix: number; version: 4 | 6 } | null {
  const [, network = "", digits] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  const version = isIP(network);
  if (version !== 4 && version !== 6) return null;
  const most = version === 4 ? 32 : 128;
  const prefix = digits === undefined ? most : Number(digits);
  return prefix <= most ? { network, prefix, version } : null;
}
