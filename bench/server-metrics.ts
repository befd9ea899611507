/** What `/metrics` of a server says now. */
export interface ServerMetrics {
  /** Sum of all series of that name whose labels are those given; 0 when there is none. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
}

/** @throws when the server does not answer. */
export async function readMetrics(server: { url: string; token: string }): Promise<ServerMetrics> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  return parseMetrics(await response.text());
}

export function parseMetrics(text: string): ServerMetrics {
  const series: Array<{ name: string; labels: string; value: number }> = [];
  for (const line of text.split("\n")) {
    const match = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (match) series.push({ name: match[1] ?? "", labels: match[2] ?? "", value: Number(match[3]) });
  }
  return {
    sum(name, labels = {}) {
      const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
      return series
        .filter((each) => each.name === name && wanted.every((label) => each.labels.split(",").includes(label)))
        .reduce((sum, { value }) => sum + value, 0);
    },
  };
}

/** Error events, or items of another category, in the stores since the server started. */
export async function countStored(server: { url: string; token: string }, category = "error"): Promise<number> {
  return (await readMetrics(server)).sum("culprit_items_stored_total", { category });
}

/**
 * Waits until so many error events, or items of another category, are stored. Gives the instant (of `performance.now()`) at which that
 * was seen, at most `POLL_MS` late.
 *
 * @throws when nothing more is stored for `STALL_MS`.
 */
export async function waitForStored(
  server: { url: string; token: string },
  count: number,
  category = "error",
): Promise<number> {
  let last = -1;
  let changedAt = performance.now();
  let pauseMs = POLL_MS;
  for (;;) {
    const stored = await countStored(server, category);
    const now = performance.now();
    if (stored >= count) return now;
    if (stored !== last) {
      const leftMs = last < 0 ? 0 : ((count - stored) / (stored - last)) * (now - changedAt);
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(POLL_MS, leftMs / 2));
      last = stored;
      changedAt = now;
    } else if (now - changedAt > STALL_MS) {
      throw new Error(`the server stored ${stored} items of ${count} and then no more`);
    }
    await new Promise((wake) => setTimeout(wake, pauseMs));
  }
}

const POLL_MS = 50;
/** While much is left, because each look costs the server two milliseconds. */
const MAX_PAUSE_MS = 500;
const STALL_MS = 60_000;
