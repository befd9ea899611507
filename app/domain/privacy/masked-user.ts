/** Whether a part of a user was masked. Masked parts are ignored: otherwise all such users would count as one. */
export function isMaskedUserPart(text: string): boolean {
  return text === "[Filtered]" || /^\*+$/.test(text);
}
