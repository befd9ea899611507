/** Characters; Sentry takes as many. */
export const MAX_ORGANIZATION_NAME = 64;

/** Says what is wrong with a name of the organization. Null: nothing is. */
export function findOrganizationNameFault(name: string): string | null {
  if (name === "") return "Give the organization a name.";
  return name.length > MAX_ORGANIZATION_NAME ? `At most ${MAX_ORGANIZATION_NAME} characters.` : null;
}
