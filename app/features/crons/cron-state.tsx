import { CircleAlert, CircleCheck, CircleDashed, CirclePause, Clock, Hourglass, TimerOff } from "lucide-react";
import { type ShownState, STATE_WORDS } from "./cron-words.ts";

const ICONS = {
  error: CircleAlert,
  timeout: TimerOff,
  missed: CircleDashed,
  late: Clock,
  waiting: Hourglass,
  ok: CircleCheck,
  paused: CirclePause,
} satisfies Record<ShownState, unknown>;

export function CronStateMark({ state }: { state: ShownState }) {
  const Icon = ICONS[state];
  const { label, tone } = STATE_WORDS[state];
  return (
    <span className={`cron-state cron-tone-${tone}`}>
      <Icon aria-hidden="true" />
      {label}
    </span>
  );
}
