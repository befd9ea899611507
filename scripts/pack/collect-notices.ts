import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED_PACKAGES } from "../../app/server/vite-packages-plugin.ts";
import { type LockedPackage, pruneLock } from "./prune-lock.ts";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Packages that the loader serves unchanged (`app/browser-sdk`), so that no bundler lists them. */
const SERVED = ["@sentry/browser"];

/**
 * Names, versions and licences of the packages whose code is a part of the build, as a text for people. Packages that npm installs beside
 * the release include their licences themselves.
 *
 * @param root folder of a checkout that is built
 * @throws when the build does not list its packages, or a package has no licence
 */
export function collectNotices(root: string, locked: Readonly<Record<string, LockedPackage>>): string {
  const folder = join(root, "build", BUNDLED_PACKAGES);
  const places = new Set(Object.keys(pruneLock(locked, SERVED)));
  for (const file of readdirSync(folder)) {
    for (const place of JSON.parse(readFileSync(join(folder, file), "utf8"))) places.add(place);
  }
  const parts = [...places].sort().map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"));
    const texts = readdirSync(join(root, place))
      .filter((file) => LICENCE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(root, place, file), "utf8").trim());
    if (texts.length === 0 && typeof license !== "string") throw new Error(`${place} names no licence`);
    return [`${name} ${version}: ${license ?? "see below"}`, ...texts].join("\n\n");
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `The pages and the scripts of Culprit hold code of these packages.${rule}${parts.join(rule)}\n`;
}
