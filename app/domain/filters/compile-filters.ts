import type { Condition } from "../search/condition.ts";
import { matchesCondition, type SearchedRow } from "../search/matches-condition.ts";
import { isCrawler, isExtensionFile, isExtensionText, isLocalHost } from "./built-in-lists.ts";
import type { FilterReason } from "./filter-reason.ts";
import type { FilterSettings } from "./filter-settings.ts";
import { compileGlob, type GlobMatch } from "./glob.ts";
import { compileIpRanges } from "./ip-ranges.ts";
import { isLegacyBrowser } from "./legacy-browsers.ts";
import { readFilterSearch } from "./read-filter-search.ts";

/** The facts about an event that filters ask for. A filter asks for each fact at most once, and only if it needs it. */
export interface FilterSubject {
  /** IP addresses of the sender and of the user. */
  addresses(): readonly string[];
  release: string | null;
  /** `Type: value` and `value` of each exception, and the message. */
  messages(): readonly string[];
  browser(): { name: string; version: string | null } | null;
  userAgent(): string | null;
  /** Host of the page or request, without port. Null: unknown. */
  host(): string | null;
  /** Files in which something was thrown, and what a content security policy blocked. */
  thrownIn(): readonly string[];
  row(): SearchedRow;
}

/** Finds the first filter that rejects the event. Null: none does. */
export type FindFilter = (subject: FilterSubject) => FilterReason | null;

/** Null: the project has no filter that a single event could meet. */
export function compileFilters(settings: FilterSettings): FindFilter | null {
  const filters: Array<[FilterReason, (subject: FilterSubject) => boolean]> = [];
  const { legacyBrowsers, releases, errorMessages, ipAddresses, conditions } = settings;
  if (ipAddresses.length > 0) {
    const isListed = compileIpRanges(ipAddresses);
    filters.push(["ip-address", (subject) => subject.addresses().some(isListed)]);
  }
  if (releases.length > 0) {
    const globs = releases.map(compileGlob);
    filters.push(["release-version", ({ release }) => release !== null && matchesAny(globs, release)]);
  }
  if (settings.localhost) filters.push(["localhost", (subject) => isLocalHost(subject.host() ?? "")]);
  if (settings.webCrawlers) filters.push(["web-crawlers", (subject) => isCrawler(subject.userAgent() ?? "")]);
  if (legacyBrowsers.length > 0) {
    filters.push([
      "legacy-browsers",
      (subject) => {
        const browser = subject.browser();
        return browser !== null && isLegacyBrowser(browser, legacyBrowsers);
      },
    ]);
  }
  if (settings.browserExtensions) {
    filters.push([
      "browser-extensions",
      (subject) => subject.thrownIn().some(isExtensionFile) || subject.messages().some(isExtensionText),
    ]);
  }
  if (errorMessages.length > 0) {
    const globs = errorMessages.map(compileGlob);
    filters.push(["error-message", (subject) => subject.messages().some((text) => matchesAny(globs, text))]);
  }
  for (const { id, search, isEnabled } of conditions) {
    const read = isEnabled ? readFilterSearch(search) : null;
    if (read?.ok) filters.push([`condition:${id}`, toTest(read.condition)]);
  }
  if (filters.length === 0) return null;
  return (subject) => {
    for (const [reason, takes] of filters) if (takes(subject)) return reason;
    return null;
  };
}

function toTest(condition: Condition): (subject: FilterSubject) => boolean {
  return (subject) => matchesCondition(condition, subject.row());
}

function matchesAny(globs: readonly GlobMatch[], text: string): boolean {
  return globs.some((matches) => matches(text));
}
