import type { ValueTest } from "../../domain/search/condition.ts";

type Compare = Extract<ValueTest, { kind: "compare" }>;

/**
 * Rewrites a comparison of `column / divisor`, for a column of whole numbers, as a comparison of the column itself. DuckDB can skip groups
 * of rows by their least and largest value of a column, but not of an expression. It finds the same rows, however the quotient is rounded.
 */
export function toWholeNumberTest(
  column: string,
  { sign, value }: Compare,
  { divisor, bind }: { divisor: number; bind: (value: number) => string },
): string {
  if (sign === "=") {
    const whole = Math.round(value * divisor);
    return Number.isSafeInteger(whole) && whole / divisor === value ? `${column} = ${bind(whole)}` : "false";
  }
  const isFirst = sign === ">" || sign === ">=";
  const isFound = (whole: number) => {
    const quotient = whole / divisor;
    if (sign === ">") return quotient > value;
    if (sign === ">=") return quotient >= value;
    return sign === "<" ? quotient < value : quotient <= value;
  };
  // The outermost number that is found: the one of the arithmetic, or a neighbour.
  const inwards = isFirst ? 1 : -1;
  let whole = Math.round(value * divisor);
  if (!Number.isSafeInteger(whole)) return whole > 0 === isFirst ? "false" : "true";
  while (isFound(whole - inwards)) whole -= inwards;
  while (!isFound(whole)) whole += inwards;
  return `${column} ${isFirst ? ">=" : "<="} ${bind(whole)}`;
}
