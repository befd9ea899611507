/** The field of the password that is asked for before a provider becomes a way in: a page may have one for each provider. */
export function toConnectField(providerId: number): string {
  return `connect ${providerId}`;
}
