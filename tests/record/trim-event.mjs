import { createHash } from "node:crypto";
import { homedir, hostname } from "node:os";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
/** A long text says no more than its beginning. */
const MAX_TEXT = 1000;
/** Of lists of packages and of loaded libraries, which are hundreds. */
const MAX_PACKAGES = 12;
const MAX_IMAGES = 3;

/** What says where the recording was made and not what the SDK does, by key: replaced, not left out. */
const SAME_FOR_ALL = {
  server_name: "recorder",
  device_app_hash: "0".repeat(40),
  boot_time: "2026-01-01T00:00:00.000Z",
  app_start_time: "2026-01-02T03:04:00.000Z",
  memory_size: 8_589_934_592,
  free_memory: 4_294_967_296,
  app_memory: 104_857_600,
  free_app_memory: 52_428_800,
  usable_memory: 8_000_000_000,
  processor_count: 4,
  num_cpu: 4,
  processor_frequency: 2400,
  cpu_description: "A processor",
  kernel_version: "6.12.0",
};

/** The event as the SDK has sent it, without what says on which machine, at which moment, and in which folder. */
export function trimEvent(event, fileName) {
  const ids = createIdMap(fileName);
  const trimmed = trim(event, ids, "");
  trimmed.event_id = ids(event.event_id);
  if (trimmed.modules) trimmed.modules = firstEntries(trimmed.modules, MAX_PACKAGES);
  if (trimmed.debug_meta?.images) trimmed.debug_meta.images = trimmed.debug_meta.images.slice(0, MAX_IMAGES);
  // The kernel of the machine, where an SDK takes that for the version of the system.
  if (/^\d+\.\d+\.\d+-/.test(trimmed.contexts?.os?.version ?? ""))
    trimmed.contexts.os.version = SAME_FOR_ALL.kernel_version;
  return trimmed;
}

function trim(value, ids, key) {
  if (typeof value === "string") return trimText(value, ids, key);
  if (typeof value === "number") return SAME_FOR_ALL[key] ?? trimNumber(value, key);
  if (Array.isArray(value)) return value.map((each) => trim(each, ids, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, trim(each, ids, name)]));
}

function trimText(text, ids, key) {
  if (SAME_FOR_ALL[key] !== undefined) return SAME_FOR_ALL[key];
  if (/^[0-9a-f]{32}$|^[0-9a-f]{16}$/.test(text)) return ids(text);
  const plain = text
    .replaceAll(root, "/srv/shop")
    .replaceAll(homedir() === "/" ? "\0" : homedir(), "/home/shop")
    .replaceAll(hostname() || "\0", "recorder")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "https://shop.example.com")
    .replace(/\?options=[^"\s)]*/g, "")
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?/, (_, fraction = "") => `2026-01-02T03:04:05${fraction}`);
  return plain.length > MAX_TEXT ? plain.slice(0, MAX_TEXT) : plain;
}

/** Instants in seconds become those of one second, with the fraction that they had. */
function trimNumber(number, key) {
  if (!/timestamp/.test(key) || number < 1e9) return number;
  return Math.round((1_767_323_045 + (number % 1)) * 1000) / 1000;
}

/** The same id for the same id, and the same ones in every recording. */
function createIdMap(fileName) {
  const known = new Map();
  return (id) => {
    const found =
      known.get(id) ?? createHash("sha256").update(`${fileName} ${known.size}`).digest("hex").slice(0, id.length);
    known.set(id, found);
    return found;
  };
}

function firstEntries(object, count) {
  return Object.fromEntries(Object.entries(object).slice(0, count));
}
