import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, INTEGER, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { keepEntries } from "./object-list.ts";
import { LIMITS, TREE_LIMITS } from "./trimming.ts";

const TEXT = text(LIMITS.otherText);
const ADDRESS = { kind: "address" } as const;

const DEBUG_META_RULES = createFieldRules({ images: OWN, sdk_info: object(TREE_LIMITS.small) });
const IMAGE_RULES = createFieldRules({
  type: TEXT,
  debug_id: TEXT,
  debug_file: TEXT,
  code_id: TEXT,
  code_file: text(LIMITS.url),
  image_addr: ADDRESS,
  image_vmaddr: ADDRESS,
  image_size: INTEGER,
  arch: TEXT,
  debug_checksum: TEXT,
  uuid: TEXT,
});
/** The field names of older SDKs. */
const IMAGE_ALIASES = { id: "debug_id", name: "code_file" } as const;

export interface DebugMeta {
  images?: JsonObject[];
  sdk_info?: JsonObject;
}

/** Null when it is empty. The place of `meta` is the event. */
export function normalizeDebugMeta(value: unknown, meta: MetaRecorder): DebugMeta | null {
  if (isNoObject(value)) return null;
  if (!isRecord(value)) {
    meta.invalid("debug_meta", "expected an object", value);
    return null;
  }
  meta.enter("debug_meta");
  normalizeFields(value, DEBUG_META_RULES, meta);
  const { images } = value;
  if (Array.isArray(images)) normalizeImages(images, meta);
  else if (images !== undefined && images !== null) meta.invalid("images", "expected a list", images);
  if (!Array.isArray(images) || images.length === 0) value.images = undefined;
  meta.leave();
  // Narrowed field by field above.
  return value.images === undefined && value.sdk_info === undefined ? null : (value as DebugMeta);
}

function normalizeImages(images: unknown[], meta: MetaRecorder): void {
  meta.enter("images");
  keepEntries(images, isRecord, Number.POSITIVE_INFINITY, meta);
  for (let index = 0; index < images.length; index++) {
    const image = images[index];
    if (!isRecord(image)) continue;
    for (const [alias, name] of Object.entries(IMAGE_ALIASES)) {
      if (typeof image[alias] === "string" && image[name] === undefined) {
        image[name] = image[alias];
        delete image[alias];
      }
    }
    meta.enter(index);
    normalizeFields(image, IMAGE_RULES, meta);
    meta.leave();
  }
  meta.leave();
}
