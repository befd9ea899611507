import type { Frame } from "../../domain/event.ts";

/** The name of a JVM class: a package in lower case with dots, then a class. */
const JAVA_CLASS = /^(?:[a-z_][\w$]*\.)+[A-Z_$][\w$.]*$/;

/** The names that R8 and ProGuard write for every file. */
const SHORTENED_FILE = /^(?:SourceFile|Unknown Source|ProGuard|r8-map-id-[0-9a-f]+)$/i;

/**
 * The place of the frame in its usual short form: `src/cart.ts`, `com.shop.cart.Cart`, `libc.so.6`. A JVM class is preferred over
 * its file, which lacks the package; on other platforms a file is preferred over a module. Null: the frame has none of these.
 */
export function toFramePlace(frame: Frame): string | null {
  const { filename, module, abs_path: absPath } = frame;
  if (
    module !== undefined &&
    (SHORTENED_FILE.test(filename ?? "") || (JAVA_CLASS.test(module) && isJavaFile(filename)))
  )
    return module;
  return filename ?? lastSegments(absPath) ?? module ?? lastSegment(frame.package) ?? frame.instruction_addr ?? null;
}

/** JVM compilers name a file without its folder, or no file at all. */
function isJavaFile(filename: string | undefined): boolean {
  return filename === undefined || /^[^/\\]+\.(?:java|kts?|scala|groovy|clj)$/i.test(filename);
}

/** The last folder and the file name: `shop/main.go`. Shorter paths are not cut. */
function lastSegments(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const parts = path.split(/[/\\]/);
  return parts.length > 3 && !/^[a-z][a-z0-9+.-]+:/i.test(path) ? parts.slice(-2).join("/") : path;
}

/** The position in the file: `:14:42` or `:14`; for machine code ` +0x1c4f0` from the start of its image; or an empty text. */
export function toFramePosition(frame: Frame): string {
  if (frame.lineno === undefined) return toImageOffset(frame);
  return frame.colno === undefined ? `:${frame.lineno}` : `:${frame.lineno}:${frame.colno}`;
}

export function toFrameFunction(frame: Frame): string {
  return frame.function ?? frame.symbol ?? "<unknown>";
}

function lastSegment(path: string | undefined): string | undefined {
  return path?.split(/[/\\]/).at(-1);
}

/** Hexadecimal numbers as clients send them. */
const ADDRESS = /^0x[0-9a-f]{1,16}$/i;

function toImageOffset({ instruction_addr: address = "", image_addr: image = "" }: Frame): string {
  if (!ADDRESS.test(address) || !ADDRESS.test(image)) return "";
  const offset = BigInt(address) - BigInt(image);
  return offset >= 0n ? ` +0x${offset.toString(16)}` : "";
}
