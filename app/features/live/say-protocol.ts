/** The parameter `http=1.1` for the address of a stream, if this page was not loaded over HTTP/2 or later. The browser then has few connections. */
export function sayProtocol(): string {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(navigation?.nextHopProtocol ?? "") ? "" : "http=1.1";
}
