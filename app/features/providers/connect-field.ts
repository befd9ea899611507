/** The name of the password field for connecting a provider: a page may have one for each provider. */
export function toConnectField(providerId: number): string {
  return `connect ${providerId}`;
}
