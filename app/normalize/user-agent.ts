import { UAParser } from "ua-parser-js";
import { copyText } from "./copy-text.ts";

/** The browser, system and device in a user agent. Unknown parts are absent. */
export interface UserAgentFacts {
  browser?: { name: string; version?: string };
  os?: { name: string; version?: string };
  device?: { family?: string; model?: string; brand?: string };
}

/** Client hints by lower-case header name. */
export type ClientHints = Readonly<Record<string, string | undefined>>;

/** Parsing one takes about 100 µs, and a site's visitors share a few hundred. */
const MAX_CACHED = 1_000;
/** Real ones are shorter than half of this; the parser's regular expressions deserve no more. */
const MAX_LENGTH = 500;
const cache = new Map<string, UserAgentFacts>();

/** Client hints win over the text, which browsers froze years ago. The answer is shared: do not change it. */
export function parseUserAgent(userAgent: string | null, hints: ClientHints | null): Readonly<UserAgentFacts> {
  const key =
    hints === null
      ? (userAgent ?? "")
      : `${userAgent ?? ""}\n${HINT_NAMES.map((name) => hints[name] ?? "").join("\n")}`;
  if (key.length > MAX_LENGTH * 4) return {};
  const known = cache.get(key);
  if (known !== undefined) {
    // The order of insertion is the order of use.
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const facts = readText(copyText((userAgent ?? "").slice(0, MAX_LENGTH)));
  if (hints !== null) readHints(hints, facts);
  if (cache.size >= MAX_CACHED) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(copyText(key), facts);
  return facts;
}

function readText(userAgent: string): UserAgentFacts {
  if (userAgent === "") return {};
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const facts: UserAgentFacts = {};
  if (isKnown(browser.name)) facts.browser = withVersion(browser.name, browser.version);
  if (isKnown(os.name)) facts.os = withVersion(os.name, toHonestVersion(os.name, os.version));
  const family = device.model ?? device.vendor;
  if (isKnown(family)) {
    facts.device = { family };
    if (device.model !== undefined) facts.device.model = device.model;
    if (device.vendor !== undefined) facts.device.brand = device.vendor;
  }
  return facts;
}

function isKnown(name: string | undefined): name is string {
  return name !== undefined && name !== "" && name !== "Other";
}

function withVersion(name: string, version: string | undefined): { name: string; version?: string } {
  return version === undefined || version === "" ? { name } : { name, version };
}

/** Browsers stopped at these: the real version is this or a later one. */
function toHonestVersion(os: string, version: string | undefined): string | undefined {
  if (os === "Windows" && version === "10") return ">=10";
  if (os === "Mac OS" && version === "10.15.7") return ">=10.15.7";
  return version;
}

const HINT_NAMES = ["sec-ch-ua", "sec-ch-ua-platform", "sec-ch-ua-platform-version", "sec-ch-ua-model"] as const;

export function hasClientHints(hints: ClientHints): boolean {
  return HINT_NAMES.some((name) => hints[name] !== undefined);
}

function readHints(hints: ClientHints, facts: UserAgentFacts): void {
  const brand = pickBrand(hints["sec-ch-ua"] ?? "");
  if (brand !== null) facts.browser = brand;
  const platform = unquote(hints["sec-ch-ua-platform"]);
  if (platform !== "" && platform !== "Unknown") {
    const version = unquote(hints["sec-ch-ua-platform-version"]);
    if (version !== "") facts.os = toPlatform(platform, version);
    else if (facts.os === undefined) facts.os = { name: platform };
  }
  const model = unquote(hints["sec-ch-ua-model"]);
  if (model !== "") facts.device = { ...facts.device, family: model, model };
}

/** Windows counts its platform version otherwise: 13 and later is Windows 11, as Microsoft documents it. */
function toPlatform(name: string, version: string): { name: string; version: string } {
  const major = Number.parseInt(version, 10);
  if (name === "Windows") return { name, version: major >= 13 ? "11" : major >= 1 ? "10" : "<10" };
  return { name, version };
}

/** The brand that is neither the engine's nor the made-up one that keeps servers from guessing. */
function pickBrand(list: string): { name: string; version: string } | null {
  let engine: { name: string; version: string } | null = null;
  for (const match of list.slice(0, MAX_LENGTH).matchAll(/"([^"]{1,60})";\s*v="([\d.]{1,30})"/g)) {
    const [, name = "", version = ""] = match;
    if (/not.?a.?brand/i.test(name)) continue;
    if (name !== "Chromium") return { name: name === "Google Chrome" ? "Chrome" : name, version };
    engine = { name, version };
  }
  return engine;
}

function unquote(text: string | undefined): string {
  return text === undefined ? "" : text.slice(0, 100).replace(/^"|"$/g, "").trim();
}
