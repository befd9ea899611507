import { DAY_MS } from "../../domain/time.ts";
import { newRebuild } from "../../stores/events/event-rebuild.ts";
import type { EventStore } from "../../stores/events/event-store.ts";

/**
 * Days whose file was damaged before the row log had let go of their rows: begins the rebuild that brings them back. Before the digest is opened, which
 * waits for the first part of a rebuild.
 */
export async function restoreLoggedDays({
  rebuild,
  movedDays,
}: Pick<EventStore, "rebuild" | "movedDays">): Promise<void> {
  const logged = movedDays.listDamaged().filter(({ isLogged }) => isLogged);
  // One that is under way has begun without these days.
  if (logged.length === 0 || rebuild.state() !== null) return;
  const days = logged.map(({ day }) => day);
  const received = { from: Math.min(...days) * DAY_MS, to: (Math.max(...days) + 1) * DAY_MS };
  await rebuild.begin({ ...newRebuild("has lost the file of a day", Date.now()), received });
  await movedDays.forgetDamaged(logged);
}
