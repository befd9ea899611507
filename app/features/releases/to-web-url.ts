const MAX_URL_LENGTH = 2_000;

/** What tools and people give as an address: null unless it is one of the web, so that it may stand in a link. */
export function toWebUrl(text: string | null): string | null {
  if (text === null || text.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}
