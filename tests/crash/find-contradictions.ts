import type { Random } from "../../bench/random.ts";
import { type ApiEvent, type ApiIssue, getJson, projectIdOf, type StatsGroup } from "../support/api.ts";
import type { TestServer } from "../support/start-server.ts";
import type { StoredItem } from "./read-stored-items.ts";
import type { Answers, SentBook } from "./sent-book.ts";

type Server = Pick<TestServer, "url" | "token" | "dsn">;
type ListedEvent = Pick<ApiEvent, "eventID" | "groupID" | "title">;

/** What the server says after everything, and each thing in it that contradicts what senders were told. */
export interface Verdict {
  contradictions: string[];
  storedEventIds: ReadonlySet<string>;
  duplicateCount: number;
  /** Envelopes without an answer that are there all the same. */
  storedUnansweredCount: number;
  ledger: Record<string, number>;
}

const READS_AT_A_TIME = 4;
const MAX_SHOWN = 10;

/** Compares the running server's web API with the book; nothing may be sent meanwhile, and no backlog may be left. */
export async function findContradictions(
  server: Server,
  book: SentBook,
  { random, sampleCount }: { random: Random; sampleCount: number },
): Promise<Verdict> {
  const events = await listAll<ListedEvent>(server, "/projects/default/shop/events/?per_page=100");
  const issues = await listAll<ApiIssue & { stats: { "24h": Array<[at: number, count: number]> } }>(
    server,
    "/projects/default/shop/issues/?query=&per_page=100",
  );
  const ledger = await readLedger(server);
  const found = createFindings();

  const countById = new Map<string, number>();
  for (const { eventID } of events) countById.set(eventID, (countById.get(eventID) ?? 0) + 1);
  found.each(
    countById,
    ([, count]) => count > 1,
    ([id, count]) => `event ${id} is there ${count} times`,
  );
  found.each(
    book.events.values(),
    (sent) => sent.answeredCount > 0 && !countById.has(sent.eventId),
    (sent) => `event ${sent.eventId} was answered 200 and is not there`,
  );
  found.each(
    events,
    ({ eventID, title }) => book.events.get(eventID)?.title !== title,
    ({ eventID, title }) => `event ${eventID} is there as "${title}", and was sent as another or never`,
  );

  found.each(
    book.events.values(),
    (sent) => sent.answeredCount + sent.unansweredCount === 0 && countById.has(sent.eventId),
    (sent) => `event ${sent.eventId} was refused and is there`,
  );

  for (const issue of issues) {
    const rows = events.filter(({ groupID }) => groupID === issue.id).length;
    const inTrend = issue.stats["24h"].reduce((sum, [, count]) => sum + count, 0);
    found.differ(`events of issue ${issue.id}: counted by the issue, and rows`, Number(issue.count), rows);
    found.differ(`events of issue ${issue.id}: in its graph, and rows`, inTrend, rows);
  }
  found.differ("issues, and kinds of errors", issues.length, new Set(events.map(({ groupID }) => groupID)).size);

  found.differ("accepted errors of the ledger, and rows", ledger["accepted error"] ?? 0, events.length);
  const duplicateCount = ledger["duplicate error"] ?? 0;
  const storedEvents = [...book.events.values()].filter(({ eventId }) => countById.has(eventId));
  found.between("duplicate errors of the ledger", duplicateCount, ...boundDuplicates(storedEvents));
  const known = ["accepted", "duplicate", "lost", ...(book.refusals.length > 0 ? ["rate_limited"] : [])];
  found.each(
    Object.entries(ledger),
    ([bucket]) => !known.some((outcome) => bucket.startsWith(`${outcome} `)),
    ([bucket, quantity]) => `the ledger has ${quantity} in "${bucket}"`,
  );

  const ids = [...countById.keys()];
  const sample = ids.length <= sampleCount ? ids : Array.from({ length: sampleCount }, () => random.pick(ids));
  await inParallel(sample, async (id) => {
    const event = await getJson<ApiEvent & { context: { marker?: string } }>(
      server,
      `/projects/default/shop/events/${id}/`,
    );
    found.differ(`the payload of event ${id}`, event.context.marker, `marker of ${id}`);
  });

  const storedUnansweredCount = [...book.events.values()].filter(
    (sent) => sent.answeredCount === 0 && countById.has(sent.eventId),
  ).length;
  return {
    contradictions: found.list(),
    storedEventIds: new Set(countById.keys()),
    duplicateCount,
    storedUnansweredCount,
    ledger,
  };
}

/** The same for what is no event, from the rows that a stopped server has left. */
export function findItemContradictions(
  book: SentBook,
  items: readonly StoredItem[],
  { storedEventIds, ledger }: Pick<Verdict, "storedEventIds" | "ledger">,
): string[] {
  const found = createFindings();
  const countByKey = new Map<string, number>();
  const quantityByCategory = new Map<string, number>();
  for (const item of items) {
    const key = toKey(item);
    countByKey.set(key, (countByKey.get(key) ?? 0) + 1);
    quantityByCategory.set(item.category, (quantityByCategory.get(item.category) ?? 0) + item.quantity);
    const sent = book.items.get(key);
    if (sent && sent.type !== "client_report") found.differ(`the quantity of ${key}`, item.quantity, sent.quantity);
    if (sent?.spans !== undefined) found.differ(`the spans of ${key}`, item.spans, sent.spans);
  }
  found.each(
    countByKey,
    ([, count]) => count > 1,
    ([key, count]) => `${key} is there ${count} times`,
  );
  found.each(
    book.items,
    ([key, sent]) => sent.answeredCount > 0 && !countByKey.has(key),
    ([key]) => `${key} was answered 200 and is not there`,
  );
  found.each(
    book.items,
    ([key, sent]) => sent.answeredCount + sent.unansweredCount === 0 && countByKey.has(key),
    ([key]) => `${key} was refused and is there`,
  );
  const storedTransactions = [...book.items].filter(([key, { type }]) => type === "transaction" && countByKey.has(key));
  found.between(
    "duplicate transactions of the ledger",
    ledger["duplicate transaction"] ?? 0,
    ...boundDuplicates(storedTransactions.map(([, sent]) => sent)),
  );
  for (const { eventId, hasAttachment } of book.events.values()) {
    if (!hasAttachment) continue;
    const count = countByKey.get(`attachment ${eventId}`) ?? 0;
    found.differ(`attachments of event ${eventId}`, count, storedEventIds.has(eventId) ? 1 : 0);
  }
  for (const [category, quantity] of quantityByCategory)
    found.differ(`accepted ${category} of the ledger, and rows`, ledger[`accepted ${category}`] ?? 0, quantity);
  let discarded = 0;
  for (const [key, { type, quantity }] of book.items)
    if (type === "client_report" && countByKey.has(key)) discarded += quantity;
  found.differ("what reports say was discarded, and the ledger", ledger["lost error"] ?? 0, discarded);
  return found.list();
}

/** How many duplicates there are at least and at most, of what is stored. */
function boundDuplicates(stored: readonly Answers[]): [least: number, most: number] {
  let [least, most] = [0, 0];
  for (const { answeredCount, unansweredCount } of stored) {
    least += Math.max(0, answeredCount - 1);
    most += answeredCount + unansweredCount - 1;
  }
  return [least, most];
}

/** As the book names it. */
function toKey({ type, eventId, traceId, release }: StoredItem): string {
  if (type === "session") return `session ${release}`;
  if (type === "log") return `log ${traceId}`;
  return `${type} ${eventId}`;
}

/** Quantities by `<outcome> <category>`; what SDKs lost is `lost <category>`. */
async function readLedger(server: Server): Promise<Record<string, number>> {
  const query = new URLSearchParams({ field: "sum(quantity)", statsPeriod: "1d", interval: "1h" });
  query.set("project", projectIdOf(server));
  for (const by of ["outcome", "category", "reason"]) query.append("groupBy", by);
  const stats = await getJson<{ groups: StatsGroup[] }>(server, `/organizations/default/stats_v2/?${query}`);
  const sums: Record<string, number> = {};
  for (const { by, totals } of stats.groups) {
    const { outcome, category, reason } = by;
    const bucket =
      outcome === "client_discard"
        ? "lost"
        : outcome === "invalid" && reason === "event_id_seen"
          ? "duplicate"
          : `${outcome}`;
    const key = `${bucket} ${category}`;
    sums[key] = (sums[key] ?? 0) + totals["sum(quantity)"];
  }
  return sums;
}

async function listAll<Row>(server: Server, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let next: string | null = path;
  while (next !== null) {
    const response: Response = await fetch(`${server.url}/api/0${next}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    if (!response.ok) throw new Error(`${next} answered ${response.status}: ${await response.text()}`);
    rows.push(...((await response.json()) as Row[]));
    const link = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get("link") ?? "")?.[1];
    next = link ? link.slice(link.indexOf("/api/0") + "/api/0".length) : null;
  }
  return rows;
}

async function inParallel<Value>(values: readonly Value[], work: (value: Value) => Promise<void>): Promise<void> {
  const rest = [...values];
  const lane = async () => {
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, lane));
}

function createFindings() {
  const all: string[] = [];
  return {
    each<Value>(values: Iterable<Value>, isWrong: (value: Value) => boolean, say: (value: Value) => string): void {
      const wrong = [...values].filter(isWrong);
      all.push(...wrong.slice(0, MAX_SHOWN).map(say));
      if (wrong.length > MAX_SHOWN) all.push(`… and ${wrong.length - MAX_SHOWN} more like it`);
    },
    differ(what: string, one: unknown, other: unknown): void {
      if (one !== other) all.push(`${what}: ${one} and ${other}`);
    },
    between(what: string, value: number, least: number, most: number): void {
      if (value < least || value > most) all.push(`${what}: ${value}, not ${least} to ${most}`);
    },
    list: () => all,
  };
}
