import { createBoundedCache } from "./bounded-cache.ts";
import { cleanJavascriptFunction } from "./clean-javascript-function.ts";
import { cleanNativeFunction } from "./clean-native-function.ts";
import type { PlatformFamily } from "./platform-family.ts";

/** The function's name without the parts that differ between runs, builds and engines. Null if it has no name (protocol 6.3). */
export function cleanFunction(raw: string, family: PlatformFamily): string | null {
  switch (family) {
    case "javascript":
      return cleanJavascriptFunction(raw);
    case "native":
      return cleanNativeFunction(raw);
    case "java":
      return cleanJavaFunction(raw);
    case "php":
      return cleanPhpFunction(raw);
    case "ruby":
      return cleanRubyFunction(raw);
    case "csharp":
      return cleanCsharpFunction(raw);
    case "go":
      return cleanGoFunction(raw);
    default:
      return raw === "" || raw === "?" || raw === "<unknown>" ? null : raw;
  }
}

/** The module without generated class names and numbers. */
export function cleanModule(raw: string, family: PlatformFamily): string | null {
  switch (family) {
    case "java":
      return cleanJavaModule(raw);
    case "csharp":
      return withoutCompilerNumbers(raw);
    case "javascript":
      return withoutContentHash(raw);
    default:
      return raw === "" ? null : raw;
  }
}

/** Lower-cased last part of a path; null for addresses and for what engines write in place of a file. */
export function cleanFilename(raw: string, family: PlatformFamily): string | null {
  if (raw === "" || raw === "<anonymous>" || raw === "[native code]" || raw === "native code") return null;
  if (isUrl(raw)) return null;
  return family === "javascript" ? javascriptBasename(raw) : basename(raw);
}

/** Addresses change with hosts and releases. Both `https://shop.example/a.js` and `file:///srv/a.js` count as such. */
export const isUrl = createBoundedCache((text) =>
  /^(?:https?|file|blob|applewebdata|data|about|capacitor|ionic):/.test(text),
);

const basename = createBoundedCache((path) => {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return path.slice(end + 1).toLowerCase();
});

const javascriptBasename = createBoundedCache((path) => {
  const query = path.search(/[?#]/);
  const bare = query > 0 ? path.slice(0, query) : path;
  const name = bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1);
  return withoutContentHash(name).toLowerCase();
});

/** `main.4f9a8b2c.chunk.js` and `shop-C8vQ2k1x.js` are `main.chunk.js` and `shop.js` in every release. */
const withoutContentHash = createBoundedCache((name) =>
  name.replace(/[.-](?:[0-9a-f]{8,64}|[A-Za-z0-9_-]{8})(?=\.|$)/g, (suffix) => {
    const hash = suffix.slice(1);
    if (!/\d/.test(hash)) return suffix;
    const isHex = /^[0-9a-f]+$/.test(hash) && /[a-f]/.test(hash);
    return isHex || (hash.length === 8 && /[a-z]/.test(hash) && /[A-Z]/.test(hash)) ? "" : suffix;
  }),
);

const cleanJavaModule = createBoundedCache((module) => {
  const cleaned = module
    .replace(/\$\$Lambda.*$/, "")
    .replace(/\$\$ExternalSynthetic\w*$/, "")
    .replace(/(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+/, "$1")
    .replace(/(?:\$\$(?:EnhancerBy\w*|FastClassBy\w*|SpringCGLIB|FastClass)(?:\$\$[0-9a-f]+)?)+(?:\$\$\w+)?/g, "")
    .replace(/_?\$\$?_(?:javassist|jvst\w*)(?:_\d+|\w*)$/, "")
    .replace(/\$(?:MockitoMock|ByteBuddy|HibernateProxy|Proxy)\$\w+$/, "")
    .replace(/\$Proxy\d+/, "$Proxy")
    .replace(/__\d+(?=\$|$)/g, "");
  return cleaned === "" ? null : cleaned;
});

const cleanJavaFunction = createBoundedCache((name) => {
  if (name === "" || name.startsWith("lambda$")) return null;
  return name
    .replace(/^access\$\d+$/, "access$")
    .replace(/__\d+(?=\$|$)/g, "")
    .replace(/\$\d+$/, "");
});

const cleanPhpFunction = createBoundedCache((name) => {
  if (name === "" || name.startsWith("[Anonymous")) return null;
  const anonymous = name.indexOf("@anonymous");
  if (anonymous >= 0) {
    const member = name.lastIndexOf("::");
    return member > anonymous ? name.slice(member + 2) : null;
  }
  // PHP 8.4 writes where a closure was declared, line included: `{closure:App\Foo::bar():12}`.
  return name.replace(/:\d+\}$/, "}");
});

const cleanRubyFunction = createBoundedCache((name) => {
  if (/^(?:block|rescue in block|ensure in block)\b/.test(name)) return "block";
  const cleaned = name.replace(/_{2,3}\d+_+\d+$/, "");
  return cleaned === "" ? null : cleaned;
});

/** Names of state machines, closures and local functions are numbered in the order of the source. */
const withoutCompilerNumbers = createBoundedCache((name) => {
  const cleaned = name
    .replace(/__DisplayClass\d+_\d+/g, "__DisplayClass")
    .replace(/>([a-z])__(\w*\|)?\d+(?:_\d+)*/g, ">$1__$2");
  return cleaned === "" ? null : cleaned;
});

const cleanCsharpFunction = createBoundedCache((name) => {
  const end = name.indexOf(" (");
  const bare = (end > 0 ? name.slice(0, end) : name).replace(/^lambda_method\d+$/, "lambda_method");
  return withoutCompilerNumbers(bare);
});

const cleanGoFunction = createBoundedCache((name) => {
  const cleaned = name.replace(/\[[^\]]*\]/g, "");
  return cleaned === "" ? null : cleaned;
});
