/** Languages and systems that SDKs name as their platform. */
const PLATFORMS = new Set(
  (
    "as3 bash c cfml clojure cocoa cpp crystal csharp dart delphi elixir erlang fsharp gdscript go groovy haskell java " +
    "javascript julia kotlin lisp lua native nim node objc ocaml other perl php powershell python r ruby rust scala swift " +
    "typescript unreal visualbasic zig"
  ).split(" "),
);

/** `other` for an unknown platform. */
export function parsePlatform(value: unknown): { platform: string; isKnown: boolean } {
  if (value === undefined || value === null || value === "") return { platform: "other", isKnown: true };
  if (typeof value === "string") {
    if (PLATFORMS.has(value)) return { platform: value, isKnown: true };
    const folded = value.trim().toLowerCase();
    if (PLATFORMS.has(folded)) return { platform: folded, isKnown: true };
  }
  return { platform: "other", isKnown: false };
}
