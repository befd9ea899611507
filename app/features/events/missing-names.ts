import type { Frame, SentryEvent } from "../../domain/event.ts";

/** Why the app's own frames have no names, and how to find them. */
export interface MissingNames {
  text: string;
  hint: string;
  /** A command that finds the names for the image with the most of these frames. Null: no known tool takes its addresses. */
  command: string | null;
}

const NAMELESS = new Set(["<redacted>", "<unknown>", "??"]);
/** Deeper frames matter less, and people read the command line. */
const MAX_ADDRESSES = 20;
/** The address where Linux loads programs whose addresses are fixed. Those are the addresses in the file. */
const FIXED_START = 0x400000n;

/** Null: as far as the event says, all frames of the app have names. */
export function findMissingNames(event: SentryEvent): MissingNames | null {
  const stack = event.exception?.values.findLast(({ stacktrace }) => stacktrace)?.stacktrace ?? event.stacktrace;
  const frames = stack?.frames ?? [];
  const nameless = frames.filter(isNameless);
  return nameless.length === 0 ? null : ofMachineCode(event, frames, nameless);
}

function isNameless({ in_app, function: name, package: image, instruction_addr: address }: Frame): boolean {
  return in_app === true && image !== undefined && address !== undefined && (name === undefined || NAMELESS.has(name));
}

function ofMachineCode(event: SentryEvent, frames: readonly Frame[], nameless: readonly Frame[]): MissingNames {
  const file = mostFrequent(nameless.map(({ package: image = "" }) => image));
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  const ofFile = nameless.filter(({ package: image }) => image === file).reverse();
  return {
    text: `${nameless.length === 1 ? "A frame of the app has no name" : `${nameless.length} frames of the app have no names`}: Culprit reads no debug files.`,
    hint: `The addresses lead to names in ${name} of ${buildOf(event)}, as it was built: with its symbols.`,
    command: toCommand(event, name, ofFile, frames),
  };
}

function toCommand(event: SentryEvent, name: string, ofFile: readonly Frame[], frames: readonly Frame[]) {
  const start = toNumber(ofFile[0]?.image_addr);
  if (start === null) return null;
  const image = imagesOf(event).find(({ image_addr: address }) => toNumber(address) === start);
  const addresses = ofFile.slice(0, MAX_ADDRESSES).flatMap((frame) => {
    const address = toNumber(frame.instruction_addr);
    // The address of a caller's frame is that of the instruction after the call.
    return address === null ? [] : [frame === frames.at(-1) ? address : address - 1n];
  });
  const shell = /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  if (image?.type === "elf") {
    const offsets = addresses.map((address) => toHex(start === FIXED_START ? address : address - start));
    return `addr2line -Cfipe ${shell} ${offsets.join(" ")}`;
  }
  if (image?.type !== "macho") return null;
  const arch = typeof image.arch === "string" && /^\w+$/.test(image.arch) ? ` -arch ${image.arch}` : "";
  return `atos${arch} -o ${shell} -l ${toHex(start)} ${addresses.map(toHex).join(" ")}`;
}

function imagesOf(event: SentryEvent): readonly Record<string, unknown>[] {
  return event.debug_meta?.images ?? [];
}

function buildOf({ release, dist }: SentryEvent): string {
  if (release === undefined) return "that build";
  return dist === undefined || release.endsWith(`+${dist}`) ? release : `${release}, dist ${dist}`;
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

function toNumber(address: unknown): bigint | null {
  return typeof address === "string" && /^0x[0-9a-f]{1,16}$/i.test(address) ? BigInt(address) : null;
}

function toHex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
