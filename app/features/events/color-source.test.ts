import { expect, test } from "vitest";
import { colorSource, type SourcePiece } from "./color-source.ts";
import { type SourceLanguage, toSourceLanguage } from "./source-language.ts";

const kindOf = (lines: SourcePiece[][] | null, text: string) =>
  lines?.flat().find((piece) => piece.text.includes(text))?.kind;

test.each([
  ["tsx", "const total: number = sum(1); // all", { const: "keyword", sum: "function", "// all": "comment" }],
  ["jsx", "export default function A() { return 'a'; }", { export: "keyword", "'a'": "string" }],
  ["python", "def parse(row): # one", { def: "keyword", parse: "function", "# one": "comment" }],
  ["ruby", "def total; @a + 12; end", { def: "keyword", "12": "literal" }],
  ["php", "function total() { return 'x'; }", { function: "keyword", "'x'": "string" }],
  ["go", "func main() { return nil }", { func: "keyword", main: "function" }],
  ["java", "throw new IllegalStateException(1);", { throw: "keyword", IllegalStateException: "type" }],
  ["rust", "fn main() { let a = 1; }", { fn: "keyword" }],
  ["csharp", "public void Pay() { }", { public: "keyword" }],
  ["kotlin", "fun pay() = 1", { fun: "keyword" }],
  ["swift", "func pay() { return }", { func: "keyword" }],
  ["dart", "final a = 'b';", { final: "keyword" }],
  ["elixir", "def pay(a), do: a", { def: "keyword" }],
  ["cpp", "int main() { return 0; }", { int: "keyword" }],
  ["sql", "SELECT 1", { SELECT: "keyword" }],
] as const)("%s has its words coloured, and no character is changed", async (language, line, kinds) => {
  const lines = ["", line, "  "];
  const colored = await colorSource(lines, language);
  expect(colored?.map((pieces) => pieces.map(({ text }) => text).join(""))).toEqual(lines);
  for (const [text, kind] of Object.entries(kinds)) expect(kindOf(colored, text), text).toBe(kind);
});

test("every language has a grammar", async () => {
  const names: SourceLanguage[] = ["c", "css", "lua", "objectivec", "perl", "scala"];
  for (const name of names) expect(await colorSource(["a = 1"], name)).toHaveLength(1);
});

test("text of strangers stays text: long lines are plain, very much of them is not looked at", async () => {
  const markup = '<img src=x onerror="alert(1)"> & &amp;';
  const long = "x".repeat(100_000);
  const colored = await colorSource(["return 1;", markup, long], "tsx");
  expect(colored?.map((pieces) => pieces.map(({ text }) => text).join(""))).toEqual(["return 1;", markup, long]);
  expect(colored?.[2]).toEqual([{ text: long, kind: null }]);
  expect(kindOf(colored, "return")).toBe("keyword");
  expect(
    await colorSource(
      Array.from({ length: 100 }, () => "y".repeat(200)),
      "tsx",
    ),
  ).toBeNull();
  expect(await colorSource(["a\nb", "\r"], "tsx")).toEqual([
    [{ text: "a\nb", kind: null }],
    [{ text: "\r", kind: null }],
  ]);
});

test("the language is that of the file, else of the platform", () => {
  expect(toSourceLanguage({ filename: "src/cart.TS?v=1" }, "python")).toBe("tsx");
  expect(toSourceLanguage({ filename: "cart", abs_path: "/app/cart.rb" }, "node")).toBe("ruby");
  expect(toSourceLanguage({ filename: "cart" }, "go")).toBe("go");
  expect(toSourceLanguage({ filename: "a.constructor" }, "constructor")).toBeNull();
});
