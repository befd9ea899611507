/**
 * The number of the character at `at`, as people count: from 1, and an emoji is one character. The end of the text counts as one more
 * character.
 */
export function toCharacterNumber(text: string, at: number): number {
  let number = 1;
  for (const { index, segment } of new Intl.Segmenter().segment(text)) {
    if (index + segment.length > at) break;
    number++;
  }
  return number;
}
