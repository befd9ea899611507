interface SentHeaders {
  loaderHeaders: Headers;
  actionHeaders: Headers;
  errorHeaders: Headers | undefined;
}

/**
 * Headers of a page whose address is a secret: it is in no cache and no index, and no other site hears of it. What the loader, the action
 * or a refusal sends, like `Retry-After`, goes out with the page, too.
 */
export function toSecretLinkHeaders(
  { loaderHeaders, actionHeaders, errorHeaders }: SentHeaders,
  {
    mayBeCached = false,
    referrerPolicy = "no-referrer",
  }: {
    /** A `Cache-Control` of the loader stays. */
    mayBeCached?: boolean;
    /** `same-origin` where a form must say where it came from. */
    referrerPolicy?: "no-referrer" | "same-origin";
  } = {},
): Headers {
  const all = new Headers(errorHeaders ?? loaderHeaders);
  if (!errorHeaders) for (const [name, value] of actionHeaders) all.append(name, value);
  if (!mayBeCached || !all.has("cache-control")) all.set("cache-control", "no-store");
  all.set("referrer-policy", referrerPolicy);
  all.set("x-robots-tag", "noindex, nofollow");
  return all;
}
