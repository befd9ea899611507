import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { ignoreMissing } from "../missing-file.ts";
import { shardedPath } from "../stores/files/sharded-files.ts";
import type { Finding } from "./finding.ts";

const CURE = "upload the source maps again, or put this one file back from a backup";

/** Checks that every upload of the state exists with its original contents. */
export async function checkBlobs(dir: string, keys: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const key of keys) {
    const { path } = shardedPath(dir, key);
    const actual = await ignoreMissing(hash(path));
    if (actual === key) continue;
    findings.push({
      path,
      what: actual === null ? "the upload is missing" : `the upload is damaged: its SHA-1 is ${actual}`,
      means: "stacks that need the source maps in it stay as they were sent",
      cure: CURE,
    });
  }
  return findings;
}

async function hash(path: string): Promise<string> {
  const sha1 = createHash("sha1");
  for await (const piece of createReadStream(path)) sha1.update(piece);
  return sha1.digest("hex");
}
