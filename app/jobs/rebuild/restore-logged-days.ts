import { DAY_MS } from "../../domain/time.ts";
import { newRebuild } from "../../stores/events/event-rebuild.ts";
import type { EventStore } from "../../stores/events/event-store.ts";

/**
 * Begins a rebuild for days whose file was damaged while the row log still had their rows. It must be called before the digest is opened,
 * because the digest waits for the first part of a rebuild.
 */
export async function restoreLoggedDays({
  rebuild,
  movedDays,
}: Pick<EventStore, "rebuild" | "movedDays">): Promise<void> {
  const logged = movedDays.listDamaged().filter(({ isLogged }) => isLogged);
  // A rebuild that is under way began without these days.
  if (logged.length === 0 || rebuild.state() !== null) return;
  const days = logged.map(({ day }) => day);
  const received = { from: Math.min(...days) * DAY_MS, to: (Math.max(...days) + 1) * DAY_MS };
  await rebuild.begin({ ...newRebuild("has lost the file of a day", Date.now()), received });
  await movedDays.forgetDamaged(logged);
}
