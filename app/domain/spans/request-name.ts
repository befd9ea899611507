/** Methods that stand alone as the name of a request: SDKs do so where they do not know its route. */
export const BARE_METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"];

const MAX_PATH = 200;

/** The name as people read it: a method alone gets the path of the URL. */
export function nameRequest(name: string | null, url: string | null): string | null {
  if (name === null || url === null || !BARE_METHODS.includes(name)) return name;
  const path = /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(url)?.[1];
  return path === undefined ? name : `${name} ${path.slice(0, MAX_PATH).toWellFormed()}`;
}
