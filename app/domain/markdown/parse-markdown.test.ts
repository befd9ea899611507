import { describe, expect, test } from "vitest";
import { parseMarkdown } from "./parse-markdown.ts";

const paragraph = (text: string) => {
  const [block] = parseMarkdown(text);
  return block?.kind === "paragraph" ? block.lines[0] : block;
};
const text = (value: string) => ({ kind: "text", text: value });

describe("Markdown of comments", () => {
  test("blocks", () => {
    expect(parseMarkdown("# Why\n\nOne\ntwo\n\n- a\n- b\n1. c\n\n> said\n```js\n**x**\n```\nend")).toEqual([
      { kind: "heading", parts: [text("Why")] },
      { kind: "paragraph", lines: [[text("One")], [text("two")]] },
      { kind: "list", isOrdered: false, items: [[text("a")], [text("b")]] },
      { kind: "list", isOrdered: true, items: [[text("c")]] },
      { kind: "quote", lines: [[text("said")]] },
      { kind: "code", text: "**x**" },
      { kind: "paragraph", lines: [[text("end")]] },
    ]);
  });

  test("signs within a line", () => {
    expect(paragraph("**so *very* bold** and `a*b*c`, ~~gone~~")).toEqual([
      { kind: "strong", parts: [text("so "), { kind: "emphasis", parts: [text("very")] }, text(" bold")] },
      text(" and "),
      { kind: "code", text: "a*b*c" },
      text(", "),
      { kind: "deleted", parts: [text("gone")] },
    ]);
    expect(paragraph("snake_case_name, 2 * 3 * 4, \\*plain\\*, a ** b")).toEqual([
      text("snake_case_name, 2 * 3 * 4, *plain*, a ** b"),
    ]);
  });

  test("links have a safe scheme, or are text", () => {
    expect(paragraph("[the *docs*](https://shop.example/a_b) and https://shop.example/x?y=1.")).toEqual([
      {
        kind: "link",
        url: "https://shop.example/a_b",
        parts: [text("the *docs*")],
      },
      text(" and "),
      { kind: "link", url: "https://shop.example/x?y=1", parts: [text("https://shop.example/x?y=1")] },
      text("."),
    ]);
    for (const bad of ["[x](javascript:alert(1))", "[x](data:text/html,1)", "[x](/relative)", "[x](vbscript:y)"])
      expect(JSON.stringify(parseMarkdown(bad))).not.toContain('"link"');
  });

  test("HTML is text", () => {
    expect(paragraph("<img src=x onerror=alert(1)>")).toEqual([text("<img src=x onerror=alert(1)>")]);
  });

  test.each(["*", "_", "[", "`", "**a ", "[a](", "~~", "https://"])("a long row of %s is read", (sign) => {
    expect(parseMarkdown(sign.repeat(10_000 / sign.length)).length).toBeGreaterThan(0);
  });
});
