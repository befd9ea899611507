/** `http=1.1` for the address of a stream, where this page was not loaded over HTTP/2 or later: its browser has few connections then. */
export function sayProtocol(): string {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(navigation?.nextHopProtocol ?? "") ? "" : "http=1.1";
}
