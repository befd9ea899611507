import { describe, expect, test } from "vitest";
import { parseAllowedOrigins, parseProjectForm } from "./project-form.ts";

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

describe("the project form", () => {
  test("makes the slug from the name when none is given", () => {
    expect(parseProjectForm(form({ name: " Web Shop ", platform: "node" }))).toEqual({
      ok: true,
      fields: { name: "Web Shop", slug: "web-shop", platform: "node" },
    });
  });

  test("says what is wrong with each field", () => {
    const parsed = parseProjectForm(form({ name: "", slug: "No Good", platform: "cobol" }));
    expect(parsed.ok).toBe(false);
    expect(Object.keys(parsed.ok ? {} : parsed.errors)).toEqual(["name", "slug", "platform"]);
  });

  test("a name of 64 characters passes and one of 65 does not", () => {
    expect(parseProjectForm(form({ name: "a".repeat(64), slug: "a", platform: "node" })).ok).toBe(true);
    expect(parseProjectForm(form({ name: "a".repeat(65), slug: "a", platform: "node" })).ok).toBe(false);
  });
});

describe("allowed origins", () => {
  const parse = (origins: string) => parseAllowedOrigins(form({ origins }));

  test("are split by lines, commas and blanks, once each", () => {
    expect(parse("https://a.example/\n*.b.example, localhost:3000\n*.b.example")).toEqual({
      ok: true,
      fields: { origins: ["https://a.example", "*.b.example", "localhost:3000"] },
    });
    expect(parse("")).toEqual({ ok: true, fields: { origins: [] } });
  });

  test("what is not an origin is named, and there are at most 100", () => {
    expect(parse("https://a.example/path")).toMatchObject({
      ok: false,
      field: "origins",
      message: expect.stringContaining("https://a.example/path"),
    });
    expect(parse("javascript:alert(1)").ok).toBe(false);
    const names = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`).join(" ");
    expect(parse(names(100)).ok).toBe(true);
    expect(parse(names(101))).toMatchObject({ message: "Must have at most 100 entries; these are 101." });
  });
});
