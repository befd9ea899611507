import { hash } from "node:crypto";

/** Name and version of the rules in this folder. Part of every key, so that no later version can meet its hashes. */
export const GROUPING_VERSION = "culprit:1";

/**
 * One value of a key. The length separates keys whose values only differ in where one ends: `ab` + `c` and `a` + `bc`. The tag is a letter
 * for the kind of part.
 */
export function keyPart(tag: string, value: string): string {
  return `${tag}${value.length}:${value}`;
}

/** 32 lower-case hex characters. `version` is that of the rules. */
export function hashKey(key: string, version: string): string {
  return hash("md5", `${version}\n${key}`, "hex");
}
