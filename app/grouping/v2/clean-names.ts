import { createBoundedCache } from "../v1/bounded-cache.ts";
import { cleanFunction as cleanFunctionV1, cleanModule as cleanModuleV1 } from "../v1/clean-names.ts";
import type { PlatformFamily } from "../v1/platform-family.ts";

/** The name as in version 1, without further additions of compilers and newer runtimes. */
export function cleanFunction(raw: string, family: PlatformFamily): string | null {
  switch (family) {
    case "native":
      return cleanNative(raw);
    case "ruby":
      return cleanRuby(raw);
    case "csharp":
      return cleanCsharp(raw);
    default:
      return cleanFunctionV1(raw, family);
  }
}

/**
 * The module of a frame for its key, or null. Ruby's is left out: the file says the same, and only Ruby 3.4 sends it. Java gives the
 * packages of its proxies new numbers in each run, so the numbers are left out.
 */
export function cleanModule(raw: string, family: PlatformFamily): string | null {
  if (family === "ruby") return null;
  return cleanModuleV1(family === "java" ? raw.replace(/^jdk\.proxy\d+\./, "com.sun.proxy.") : raw, family);
}

const cleanNative = createBoundedCache((raw) => {
  const name = raw.includes("<lambda_") || raw.includes("A0x") ? withoutBuildHashes(raw) : raw;
  return cleanFunctionV1(withoutCopies(withoutClosureNumbers(name)), "native");
});

/** `<lambda_5db8…>::operator()` and `?A0xc3a0617d::read`, as `undname` and `dbghelp` write them. */
function withoutBuildHashes(name: string): string {
  return name
    .replace(/<lambda_(?:[0-9a-f]{16,64}|\d{1,10})>/g, "lambda")
    .replace(/`?\??A0x[0-9a-f]{8}'?(?=::)/g, "`anonymous namespace'");
}

/** Numbered in the order of the source, by Swift and by newer compilers of Rust, where older ones write `{{closure}}`. */
function withoutClosureNumbers(name: string): string {
  return name.replace(/\{closure#\d+\}/g, "{{closure}}").replace(/\bclosure #\d+ in /g, "closure in ");
}

/** `shop::pay(int) [clone .isra.0]`: what GCC makes of one function for some of its callers. */
function withoutCopies(name: string): string {
  const at = name.indexOf(" [clone ");
  return at > 0 ? name.slice(0, at) : name;
}

/** Ruby 3.4 names the class, too: `Cart#total`, `rescue in Shop::Cart.open`. */
const cleanRuby = createBoundedCache((raw) =>
  cleanFunctionV1(raw.replace(/(?<=^| in )[A-Z][\w:]*[#.](?=[^\s.])/, ""), "ruby"),
);

/** The numbers of methods that are compiled while the program runs differ from run to run: `object lambda_method12(Closure, object)`. */
const cleanCsharp = createBoundedCache((raw) =>
  cleanFunctionV1(raw.replace(/\blambda_method\d+(?=\(|$)/, "lambda_method"), "csharp"),
);
