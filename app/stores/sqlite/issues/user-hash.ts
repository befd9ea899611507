import { hash } from "node:crypto";

/**
 * A short and evenly spread hash of a user key. It need not be secret: a person who finds two keys with one hash can only hide a user of
 * their own.
 */
export function toUserHash(userKey: string): bigint {
  return (hash("sha1", userKey, "buffer").readBigInt64BE() >> 1n) & 0x7fffffffffffffffn;
}
