export type PlatformFamily =
  | "javascript"
  | "python"
  | "java"
  | "php"
  | "ruby"
  | "csharp"
  | "go"
  | "dart"
  | "native"
  | "other";

const FAMILY_BY_PLATFORM: ReadonlyMap<string, PlatformFamily> = new Map([
  ["javascript", "javascript"],
  ["node", "javascript"],
  ["python", "python"],
  ["java", "java"],
  ["kotlin", "java"],
  ["groovy", "java"],
  ["scala", "java"],
  ["php", "php"],
  ["ruby", "ruby"],
  ["csharp", "csharp"],
  ["dotnet", "csharp"],
  ["go", "go"],
  ["dart", "dart"],
  ["flutter", "dart"],
  ["native", "native"],
  ["c", "native"],
  ["cpp", "native"],
  ["objc", "native"],
  ["cocoa", "native"],
  ["swift", "native"],
  ["rust", "native"],
]);

/** Which rules of names apply to a platform as events and frames state it. */
export function platformFamily(platform: string): PlatformFamily {
  return FAMILY_BY_PLATFORM.get(platform) ?? "other";
}
