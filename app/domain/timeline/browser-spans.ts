import { kindOf, type SpanKind } from "../traces/trace-spans.ts";
import { childrenOf, type TraceTree } from "../traces/trace-tree.ts";

const BROWSER_OP = /^(?:pageload|navigation|mark|measure|paint|(?:ui|browser|resource|interaction)(?:\..+)?)$/;

/** The service name of a browser's spans, if its server has the same name. */
export function toBrowserService(service: string): string {
  return `${service} · browser`;
}

/**
 * The same tree with different services for browsers and servers: a page and its server often share one name, but their clocks
 * differ. A span that only browsers make is a browser's. So is everything below it, except a server's answers.
 */
export function nameBrowserServices(tree: TraceTree): { tree: TraceTree; browsers: Set<string> } {
  const { spans, order } = tree;
  const isBrowser = new Uint8Array(spans.count);
  for (const index of order) {
    const { op } = kindOf(spans, index);
    if (BROWSER_OP.test(op ?? "")) isBrowser[index] = 1;
    if (isBrowser[index] !== 1) continue;
    const { service } = kindOf(spans, index);
    for (const child of childrenOf(tree, index)) {
      const kind = kindOf(spans, child);
      if (kind.op !== "http.server" && kind.service === service) isBrowser[child] = 1;
    }
  }
  const { kinds } = spans;
  const ofBrowsers = kinds.map((kind): SpanKind => ({ ...kind, service: toBrowserService(kind.service) }));
  const named = spans.kindOf.map((kind, index) => (isBrowser[index] === 1 ? kind + kinds.length : kind));
  const browsers = new Set<string>();
  for (const kind of named) if (kind >= kinds.length) browsers.add(ofBrowsers[kind - kinds.length]?.service ?? "");
  return { tree: { ...tree, spans: { ...spans, kindOf: named, kinds: [...kinds, ...ofBrowsers] } }, browsers };
}
