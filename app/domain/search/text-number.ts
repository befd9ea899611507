/** Texts that are numbers, for JavaScript and RE2 alike: none is too large for a double. */
export const NUMBER_PATTERN = "^[+-]?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$";

const NUMBER = new RegExp(NUMBER_PATTERN);

/** The number, if the whole text is one. Null for any other text. */
export function readTextNumber(text: string): number | null {
  return NUMBER.test(text) ? Number(text) : null;
}
