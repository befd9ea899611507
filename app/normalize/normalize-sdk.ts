import type { SentryEvent } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { LIMITS, TREE_LIMITS, trimTree } from "./trimming.ts";

export type Sdk = NonNullable<SentryEvent["sdk"]>;

const SDK_RULES = createFieldRules({
  name: text(LIMITS.tagValue),
  version: text(LIMITS.tagValue),
  integrations: OWN,
  features: OWN,
  packages: OWN,
  settings: object(TREE_LIMITS.small),
});

/**
 * The SDK that made the event; that of the envelope header where the event does not say, or does not say how addresses
 * are to be treated. The header is not changed. The place of `meta` is the event.
 */
export function normalizeSdk(value: unknown, header: unknown, meta: MetaRecorder): Sdk | null {
  const fromHeader = isRecord(header) ? header : null;
  if (isNoObject(value)) {
    return fromHeader === null ? null : normalizeObject(structuredClone(fromHeader), meta);
  }
  if (typeof value === "string") return normalizeObject({ name: value }, meta);
  if (!isRecord(value)) {
    meta.invalid("sdk", "expected an object", value);
    return null;
  }
  if (value.settings === undefined && isRecord(fromHeader?.settings)) value.settings = { ...fromHeader.settings };
  return normalizeObject(value, meta);
}

function normalizeObject(sdk: JsonObject, meta: MetaRecorder): Sdk | null {
  meta.enter("sdk");
  normalizeFields(sdk, SDK_RULES, meta);
  normalizeNames(sdk, "integrations", meta);
  normalizeNames(sdk, "features", meta);
  normalizePackages(sdk, meta);
  meta.leave();
  for (const key in sdk) {
    // Narrowed field by field above.
    if (sdk[key] !== undefined) return sdk as Sdk;
  }
  return null;
}

function normalizeNames(sdk: JsonObject, key: "integrations" | "features", meta: MetaRecorder): void {
  const value = sdk[key];
  if (value === undefined) return;
  const list = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  const names = list.every(isText) ? list : list.map(toLenientString).filter(isText);
  sdk[key] = names.length === 0 ? undefined : trimTree(names, TREE_LIMITS.small, meta, key);
}

function normalizePackages(sdk: JsonObject, meta: MetaRecorder): void {
  const { packages } = sdk;
  if (packages === undefined) return;
  const list = Array.isArray(packages) ? packages : [];
  const kept = list.every(isPackage) ? list : list.filter(isPackage);
  for (const entry of kept) if (isRecord(entry) && entry.version === null) entry.version = undefined;
  sdk.packages = kept.length === 0 ? undefined : trimTree(kept, TREE_LIMITS.small, meta, "packages");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isPackage(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    (value.version === undefined || value.version === null || typeof value.version === "string")
  );
}
