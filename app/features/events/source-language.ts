import type { Frame } from "../../domain/event.ts";

/** Languages whose source is coloured, by Prism's names for their grammars. */
export type SourceLanguage =
  | "c"
  | "cpp"
  | "csharp"
  | "css"
  | "dart"
  | "elixir"
  | "go"
  | "java"
  | "jsx"
  | "kotlin"
  | "lua"
  | "objectivec"
  | "perl"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "scala"
  | "sql"
  | "swift"
  | "tsx";

const BY_EXTENSION: Record<string, SourceLanguage> = {
  ...{ js: "jsx", cjs: "jsx", mjs: "jsx", jsx: "jsx", vue: "jsx", svelte: "jsx", astro: "jsx" },
  ...{ ts: "tsx", cts: "tsx", mts: "tsx", tsx: "tsx" },
  ...{ py: "python", pyx: "python", rb: "ruby", erb: "ruby", rake: "ruby", php: "php", go: "go", rs: "rust" },
  ...{ java: "java", kt: "kotlin", kts: "kotlin", scala: "scala", groovy: "java", cs: "csharp", fs: "csharp" },
  ...{ c: "c", h: "c", cc: "cpp", cpp: "cpp", cxx: "cpp", hpp: "cpp", m: "objectivec", mm: "objectivec" },
  ...{ swift: "swift", dart: "dart", ex: "elixir", exs: "elixir", lua: "lua", pl: "perl", pm: "perl" },
  ...{ sql: "sql", css: "css", scss: "css" },
};
const BY_PLATFORM: Record<string, SourceLanguage> = {
  ...{ javascript: "tsx", node: "tsx", python: "python", ruby: "ruby", php: "php", go: "go", rust: "rust" },
  ...{ java: "java", csharp: "csharp", c: "c", native: "cpp", cocoa: "swift", dart: "dart", elixir: "elixir" },
  ...{ perl: "perl" },
};

/** The language from the file name, otherwise from the platform. Null: the source is not coloured. */
export function toSourceLanguage(frame: Frame, platform: string): SourceLanguage | null {
  for (const path of [frame.filename, frame.abs_path]) {
    const extension = /\.([a-z]+)(?:[?#].*)?$/i.exec(path ?? "")?.[1]?.toLowerCase();
    if (extension !== undefined && Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension] ?? null;
  }
  const name = frame.platform ?? platform;
  return Object.hasOwn(BY_PLATFORM, name) ? (BY_PLATFORM[name] ?? null) : null;
}
