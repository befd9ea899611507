import type { ValueTest } from "../../domain/search/condition.ts";
import { NUMBER_PATTERN } from "../../domain/search/text-number.ts";
import { type ConditionDialect, toValueTestSql } from "../sql/condition-sql.ts";

const PREFIX = "hot_";

/**
 * SQL for the value of an attribute in `attributes`, the JSON of all attributes without a column of their own. It uses a JSON pointer,
 * because keys may contain dots. The text is parsed only if it contains the key. The JSON of a value is an object if the value was sent
 * with a type that is not obvious. TRY: the JSON may contain half of a surrogate pair, which DuckDB refuses.
 *
 * @param bind returns the placeholder of a text in the statement
 */
export function toAttributeSql(key: string, bind: (text: string) => string): string {
  const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const [name, value, whole] = [JSON.stringify(key), `${pointer}/value`, pointer].map(bind);
  return `CASE WHEN contains(attributes, ${name})
    THEN coalesce(TRY(json_extract_string(attributes, ${value})), TRY(json_extract_string(attributes, ${whole}))) END`;
}

/**
 * SQL that tests the text of an attribute. A list passes if the whole text or one of its values passes, as in `passes` of
 * `matches-condition.ts`.
 * @param source the text that the attribute was read from: without a bracket, it contains no list
 */
export function toAttributeTestSql(
  { attribute, source }: { attribute: string; source: string },
  test: ValueTest,
  dialect: ConditionDialect,
): string {
  const whole = toTextTestSql(attribute, test, dialect);
  if (test.kind === "exists") return whole;
  const values = `TRY(json_extract_string(${attribute}, '$[*]'))`;
  const passes =
    test.kind === "in"
      ? `list_has_any(${values}, [${test.values.map(dialect.bind).join(", ")}])`
      : `len(list_filter(${values}, each -> ${toTextTestSql("each", test, dialect)})) > 0`;
  // CASE, because AND parses every text as a list: 500,000 spans took 2.2 s of processor time with AND, and 0.2 s with CASE.
  return `coalesce(${whole}, false) OR CASE WHEN contains(${source}, '[') THEN CASE WHEN starts_with(${attribute}, '[') THEN ${passes} END END`;
}

/**
 * SQL that looks for a value in all attributes without a column, as the whole value or as one of a list. Two TRYs: a list that cannot be
 * parsed is still compared as text.
 *
 * @throws {RangeError} for any test other than `in`
 */
export function toAnyAttributeTestSql(test: ValueTest, dialect: ConditionDialect): string {
  if (test.kind !== "in") throw new RangeError("an attribute without its key is looked for by whole values");
  const texts = `list_transform(map_values(from_json(attributes, '"MAP(VARCHAR, JSON)"')), each -> coalesce(each ->> '$.value', each ->> '$'))`;
  const lists = `list_filter(${texts}, each -> starts_with(each, '[') AND json_valid(each))`;
  const values = `flatten(list_transform(${lists}, each -> json_extract_string(each, '$[*]')))`;
  const tests = test.values.map((text) => {
    const value = dialect.bind(text);
    // If the text does not contain the value, it is not parsed. A value that is JSON itself is in the text as it is. In a list that was
    // sent as text, it is quoted twice.
    const inQuotes = quoteInside(text);
    const found = [...new Set([text, inQuotes, quoteInside(inQuotes)])].map(
      (each) => `contains(attributes, ${dialect.bind(each)})`,
    );
    return `((${found.join(" OR ")}) AND (coalesce(TRY(list_contains(${texts}, ${value})), false)
      OR CASE WHEN contains(attributes, '[') THEN coalesce(TRY(list_contains(${values}, ${value})), false) ELSE false END))`;
  });
  return tests.length === 0 ? "false" : tests.join(" OR ");
}

function quoteInside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** SQL that tests a text. A comparison compares numbers: a text that is not a number never passes. */
function toTextTestSql(text: string, test: ValueTest, dialect: ConditionDialect): string {
  if (test.kind !== "compare") return toValueTestSql(text, test, dialect);
  // For other texts the match is empty, and its cast is NULL.
  return toValueTestSql(`TRY_CAST(regexp_extract(${text}, '${NUMBER_PATTERN}') AS DOUBLE)`, test, dialect);
}

/** The name of an attribute's column in day files and in views. The key is in hex, because DuckDB ignores the case of column names. */
export function toHotColumn(key: string): string {
  return `${PREFIX}${Buffer.from(key).toString("hex")}`;
}

export function isHotColumn(column: string): boolean {
  return column.startsWith(PREFIX);
}
