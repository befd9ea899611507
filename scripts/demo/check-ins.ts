import type { Random } from "./random.ts";

/** Both are due once a day or less often, so that no run is late while a person looks around. */
const MONITORS = [
  { slug: "settle-accounts", schedule: "0 3 * * *", timezone: "Europe/Berlin", status: "ok", duration: 48.2 },
  { slug: "send-reminders", schedule: "30 6 * * 1", timezone: "Europe/Berlin", status: "error", duration: 3.1 },
] as const;

/** A check-in of each scheduled task of the project `billing`, which also makes its monitor. */
export function listCheckInItems(random: Random): string[] {
  return MONITORS.map(({ slug, schedule, timezone, status, duration }) => {
    const checkIn = {
      check_in_id: random.hex(32),
      monitor_slug: slug,
      status,
      duration,
      environment: "production",
      monitor_config: {
        schedule: { type: "crontab", value: schedule },
        timezone,
        checkin_margin: 10,
        max_runtime: 30,
      },
    };
    return `{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`;
  });
}
