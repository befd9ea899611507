const MAX_SLUG_LENGTH = 50;

/** A slug for a name: lower-case ASCII letters, digits and inner hyphens; null when nothing is left of it but digits. */
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

/** Only digits would be taken for a project's number in the web API. `new` is a page. */
export function isSlug(slug: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/.test(slug) && !/^\d+$/.test(slug) && slug !== "new";
}
