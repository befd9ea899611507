/** The label of a point of an axis. It is in UTC until script has loaded, so that the first drawing equals the server's. */
export function formatAt(at: number, rangeMs: number, isHydrated: boolean): string {
  const parts: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  if (rangeMs >= 86_400_000) Object.assign(parts, { day: "numeric", month: "short" });
  return new Intl.DateTimeFormat(
    isHydrated ? undefined : "en-GB",
    isHydrated ? parts : { ...parts, timeZone: "UTC" },
  ).format(at);
}
