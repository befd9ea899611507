import type { AuditNote } from "../domain/audit/audit-entry.ts";
import type { FailedSignIns } from "../domain/people/failed-sign-ins.ts";
import { MINUTE_MS } from "../domain/time.ts";

/** The audit log gets at most one entry in this time, so 144 a day, however often strangers try. */
const WINDOW_MS = 10 * MINUTE_MS;
/** The most accounts and addresses that an entry names. */
const MAX_NAMED = 10;

/**
 * Counts failed sign-ins and writes the counts to the audit log: the first one at once, what follows after ten minutes. A process that
 * dies loses the count of its last ten minutes.
 */
export function createFailedSignIns(
  note: (note: AuditNote) => Promise<void>,
  { onError, windowMs = WINDOW_MS }: { onError: (error: unknown) => void; windowMs?: number },
): FailedSignIns {
  let count = 0;
  let accounts = new Set<string>();
  let addresses = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    if (count === 0) return;
    const entry: AuditNote = {
      action: "session.failed",
      target: { kind: "sign-in", id: null, name: count === 1 ? "1 attempt" : `${count} attempts` },
      after: { attempts: count, members: [...accounts], addresses: [...addresses] },
      actor: { kind: "stranger", id: null, name: "somebody who is not signed in" },
    };
    count = 0;
    accounts = new Set();
    addresses = new Set();
    await note(entry).catch(onError);
  }

  function wait(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (count === 0) return;
      wait();
      void write();
    }, windowMs);
    timer.unref();
  }

  return {
    count({ account, address }) {
      count += 1;
      if (account !== null && accounts.size < MAX_NAMED) accounts.add(account);
      if (address !== null && addresses.size < MAX_NAMED) addresses.add(address);
      if (timer !== undefined) return;
      wait();
      void write();
    },
    async close() {
      clearTimeout(timer);
      await write();
    },
  };
}
