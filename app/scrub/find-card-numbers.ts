export interface TextRange {
  start: number;
  /** Offset behind the last character. */
  end: number;
}

/** Lengths and first digits of the card brands (ISO/IEC 7812 ranges as their owners publish them). */
const BRANDS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d|09)\d{11}|39\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:50|5[6-9]|6[379])\d{11,17})$/;

/**
 * Card numbers in a text: 13 to 19 digits of a known brand that pass Luhn's check, in one run or in groups parted by
 * single spaces or dashes. A number that is part of a longer word or of a decimal fraction is not one.
 */
export function findCardNumbers(text: string): TextRange[] {
  const found: TextRange[] = [];
  // The guards on both sides keep ids, hashes, UUIDs and fractions whole.
  for (const match of text.matchAll(/(?<![\w.-])\d(?:[ -]?\d){12,18}(?![ -]?\d|[A-Za-z_]|-\w|\.\d)/g)) {
    if (isCardNumber(match[0])) found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Fewer digits than 15 are amounts and times in milliseconds too often to be judged by their value alone. */
export function isCardInteger(value: number): boolean {
  return value >= 1e14 && value < 1e16 && Number.isSafeInteger(value) && isCardNumber(String(value));
}

function isCardNumber(text: string): boolean {
  const groups = text.split(/[ -]/);
  // Numbers in a row look like groups as well; cards have groups of four to six, the last one may be shorter.
  if (groups.length > 1 && groups.slice(0, -1).some((group) => group.length < 4 || group.length > 6)) return false;
  const digits = groups.join("");
  return BRANDS.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
