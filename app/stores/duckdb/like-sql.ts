import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import type { TextParts } from "../sql/condition-sql.ts";

/** Replacements for the wildcards of `LIKE` within the text: noncharacters, which no text uses. */
const INSTEAD = { "%": "\ufdd0", _: "\ufdd1" } as const;

/**
 * `LIKE` without `ESCAPE`: DuckDB then searches each part once. With `ESCAPE`, it tries every place of each part with every place of the
 * others, which takes hours for six parts and a text of 300 characters, and cannot be interrupted.
 */
export function toLikeSql(sql: string, parts: TextParts, bind: (value: string) => string): string {
  const withMarks = parts.filter((part) => part !== ANY_TEXT && /[%_]/.test(part)) as string[];
  const pattern = parts.map((part) => (part === ANY_TEXT ? "%" : replaceMarks(part))).join("");
  if (withMarks.length === 0) return `${sql} LIKE ${bind(pattern)}`;
  const whole = withMarks.map((part) => `contains(${sql}, ${bind(part)})`).join(" AND ");
  const text = Object.entries(INSTEAD).reduce(
    (inner, [mark, other]) => `replace(${inner}, '${mark}', '${other}')`,
    sql,
  );
  return `${whole} AND ${text} LIKE ${bind(pattern)}`;
}

function replaceMarks(text: string): string {
  return text.replaceAll("%", INSTEAD["%"]).replaceAll("_", INSTEAD._);
}
