const MAX_SLUG_LENGTH = 50;

/** A slug made from a name: lower-case ASCII letters, digits and inner hyphens. Null: nothing is left, or only digits. */
export function toSlug(name: string): string | null {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, "");
  return isSlug(slug) ? slug : null;
}

/**
 * Whether a text is a valid slug. Digits alone are not, because the web API would take them for a project's id. `new` is not,
 * because it is a page.
 */
export function isSlug(slug: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/.test(slug) && !/^\d+$/.test(slug) && slug !== "new";
}
