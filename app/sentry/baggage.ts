/** Bytes of a whole `baggage` header, and how many members it may have: W3C Baggage, "Limits" (2024-05). */
export const MAX_BAGGAGE_BYTES = 8192;
const MAX_BAGGAGE_MEMBERS = 64;

/**
 * A `baggage` header within the limits: cut behind the last whole member that fits, never inside one. Undefined when not
 * even the first fits.
 */
export function limitBaggage(header: string): string | undefined {
  let bytes = 0;
  let end = 0;
  let start = 0;
  for (let members = 0; members < MAX_BAGGAGE_MEMBERS && start <= header.length; members += 1) {
    const comma = header.indexOf(",", start);
    const memberEnd = comma === -1 ? header.length : comma;
    bytes += countBytes(header, end, memberEnd);
    if (bytes > MAX_BAGGAGE_BYTES) break;
    end = memberEnd;
    start = memberEnd + 1;
  }
  return end === 0 ? undefined : header.slice(0, end);
}

const encoder = new TextEncoder();

function countBytes(text: string, start: number, end: number): number {
  return encoder.encode(text.slice(start, end)).length;
}

type Fetch = typeof globalThis.fetch;

/** A `fetch` that sends no `baggage` beyond the limits, whoever put it on the request. */
export function withLimitedBaggage(fetch: Fetch): Fetch {
  return (input, init) => {
    const given = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const baggage = given.get("baggage");
    if (baggage === null) return fetch(input, init);
    const limited = limitBaggage(baggage);
    if (limited === baggage) return fetch(input, init);
    if (limited === undefined) given.delete("baggage");
    else given.set("baggage", limited);
    return fetch(input, { ...init, headers: given });
  };
}
