/**
 * Headers of a page whose address is a secret: it is in no cache, and no other site hears of it. `Retry-After` of the action goes out with
 * the page, too.
 */
export function toSecretLinkHeaders({ actionHeaders }: { actionHeaders: Headers }): Headers {
  const all = new Headers(actionHeaders);
  all.set("cache-control", "no-store");
  all.set("referrer-policy", "no-referrer");
  return all;
}
