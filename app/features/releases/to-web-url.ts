const MAX_URL_LENGTH = 2_000;

/** An address from tools or people, if it is http or https, so that it is safe as a link. Null for any other text. */
export function toWebUrl(text: string | null): string | null {
  if (text === null || text.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}
