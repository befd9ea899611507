import { expect, test } from "vitest";
import type { Quota } from "../domain/quotas/quota.ts";
import type { CountedUse } from "../stores/state/quota-store.ts";
import { createKeyRateLimiter } from "./key-rate-limiter.ts";
import { createQuotaLimiter, MAX_QUOTA_RETRY_SECONDS } from "./quota-limiter.ts";

const NOON = Date.UTC(2026, 5, 15, 12, 0, 30);
const ONE = { items: 1, bytes: 100 };
const daily = (limit: number, kind: Quota["kind"] = "errors"): Quota => ({ kind, period: "day", limit });

/** A limiter over a store in memory. */
function open(quotas: ReadonlyMap<number | null, Quota[]>, { saved = [] as CountedUse[], ledger = 0 } = {}) {
  const store = new Map(saved.map((use) => [`${use.owner} ${use.kind} ${use.period}`, use]));
  const clock = { now: NOON };
  const current = { quotas };
  const keys = createKeyRateLimiter();
  const limiter = createQuotaLimiter({
    index: {
      listAllQuotas: async () => current.quotas,
      listUses: async () => [...store.values()],
      saveUses: async (uses) => {
        for (const use of uses) store.set(`${use.owner} ${use.kind} ${use.period}`, use);
      },
      sumAdmitted: async () => ledger,
    },
    keys,
    now: () => clock.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const take = (projectId = 1, category: Parameters<typeof limiter.find>[1] = "error", amount = ONE) => {
    const reached = limiter.find(projectId, category, clock.now);
    if (reached === null) limiter.count(projectId, category, amount, clock.now);
    return reached?.reason ?? null;
  };
  return { limiter, keys, clock, current, take, saved: () => [...store.values()] };
}

test("a quota lets its limit pass and not one more, until its day is over", async () => {
  const { limiter, clock, take } = open(new Map([[1, [daily(2)]]]));
  await limiter.reload();
  expect([take(), take(), take()]).toEqual([null, null, "project_quota_day"]);
  // Another kind of data, and another project.
  expect([take(1, "transaction"), take(2)]).toEqual([null, null]);
  // The same kind under another category.
  expect(take(1, "security")).toBe("project_quota_day");
  clock.now = Date.UTC(2026, 5, 15, 23, 59, 59, 999);
  expect(take()).toBe("project_quota_day");
  expect(limiter.find(1, "error", clock.now)?.seconds).toBe(1);
  clock.now++;
  expect(take()).toBeNull();
});

test("the server's quota holds for all projects together, also for those with quotas of their own", async () => {
  const { limiter, take } = open(
    new Map<number | null, Quota[]>([
      [null, [daily(2)]],
      [1, [daily(10)]],
    ]),
  );
  await limiter.reload();
  expect([take(1), take(2), take(1), take(3)]).toEqual([null, null, "server_quota_day", "server_quota_day"]);
});

test("senders wait until the longest of the reached quotas ends, and no longer than ten minutes", async () => {
  const { limiter, take } = open(new Map([[1, [{ kind: "errors", period: "minute", limit: 1 }]]]));
  await limiter.reload();
  take();
  expect(limiter.find(1, "error", NOON)?.seconds).toBe(30);
  const month = open(
    new Map([
      [
        1,
        [
          { kind: "errors", period: "minute", limit: 1 },
          { kind: "errors", period: "month", limit: 1 },
        ],
      ],
    ]),
  );
  await month.limiter.reload();
  expect([month.take(), month.take()]).toEqual([null, "project_quota_month"]);
  expect(month.limiter.find(1, "error", NOON)?.seconds).toBe(MAX_QUOTA_RETRY_SECONDS);
});

test("attachments count in bytes", async () => {
  const { limiter, take } = open(new Map([[1, [daily(250, "attachments")]]]));
  await limiter.reload();
  const all = [1, 2, 3, 4].map(() => take(1, "attachment"));
  expect(all).toEqual([null, null, null, "project_quota_day"]);
  expect(limiter.listUses(1, NOON)).toMatchObject([{ used: 300 }]);
});

test("a restart goes on from what was saved, and from the ledger where nothing was", async () => {
  const first = open(new Map([[1, [daily(5)]]]), { ledger: 3 });
  await first.limiter.reload();
  // Set in the middle of a day: what came before counts.
  expect([first.take(), first.take(), first.take()]).toEqual([null, null, "project_quota_day"]);
  first.keys.take({ id: 7, rateLimit: { count: 1, windowSeconds: 60 } }, 1, NOON);
  await first.limiter.close();

  const second = open(new Map([[1, [daily(5)]]]), { saved: first.saved(), ledger: 0 });
  await second.limiter.reload();
  expect(second.take()).toBe("project_quota_day");
  expect(second.keys.take({ id: 7, rateLimit: { count: 1, windowSeconds: 60 } }, 1, NOON + 1000)).toBe(59);

  // What was saved of yesterday says nothing about today.
  const third = open(new Map([[1, [daily(5)]]]), {
    saved: first.saved().map((use) => ({ ...use, startedAt: use.startedAt - 86_400_000 })),
  });
  await third.limiter.reload();
  expect(third.take()).toBeNull();
});

test("a quota that changes keeps what was counted", async () => {
  const { limiter, current, take } = open(new Map([[1, [daily(1)]]]));
  await limiter.reload();
  expect([take(), take()]).toEqual([null, "project_quota_day"]);
  current.quotas = new Map([[1, [daily(2)]]]);
  await limiter.reload();
  expect([take(), take()]).toEqual([null, "project_quota_day"]);
  current.quotas = new Map();
  await limiter.reload();
  expect(take()).toBeNull();
});

test("a clock that is set back begins a window", async () => {
  const { limiter, clock, take } = open(new Map([[1, [daily(1)]]]));
  await limiter.reload();
  expect([take(), take()]).toEqual([null, "project_quota_day"]);
  clock.now -= 86_400_000;
  expect(take()).toBeNull();
});
