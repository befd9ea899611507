import { hash } from "node:crypto";

/** Not secret, only short and evenly spread: who could find two keys with one hash would only hide a user of theirs. */
export function toUserHash(userKey: string): bigint {
  return (hash("sha1", userKey, "buffer").readBigInt64BE() >> 1n) & 0x7fffffffffffffffn;
}
