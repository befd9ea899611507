/** Bytes of a file; `upTo` is exclusive. */
export interface ByteRange {
  from: number;
  upTo: number;
}

/**
 * Reads the headers `Range` and `If-Range` (RFC 9110, 14.2 and 13.1.5). Null: send the whole file. A request for several ranges also
 * gets the whole file, as the RFC allows.
 */
export function readByteRange(
  headers: Pick<Headers, "get">,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headers.get("range") ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return null;
  const condition = headers.get("if-range")?.trim();
  if (condition !== undefined && condition !== etag) return null;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  const from = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const upTo = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  return from < upTo ? { from, upTo } : "unsatisfiable";
}
