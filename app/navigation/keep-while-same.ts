import type { Params, ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Makes the `shouldRevalidate` of a route that keeps its data while `toKey` gives the same text for the old and the new address.
 * The route loads as usual after a form was sent, and when the open address is opened again.
 */
export function keepWhileSame(toKey: (url: URL, params: Params) => string) {
  return ({
    currentUrl,
    currentParams,
    nextUrl,
    nextParams,
    formMethod = "GET",
    defaultShouldRevalidate,
  }: ShouldRevalidateFunctionArgs): boolean => {
    if (formMethod !== "GET" || currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
    return toKey(currentUrl, currentParams) === toKey(nextUrl, nextParams) ? false : defaultShouldRevalidate;
  };
}
