import type { ReactNode } from "react";
import type { HealthGoal } from "../../domain/releases/release-health.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { HealthFigures } from "./get-release-health.server.ts";
import { formatShare, formatSpent, sayBudget } from "./health-words.ts";

/** The figures that say how sessions ended. */
export function HealthFigureList({
  figures: { sessions, users, health, crashFreeUsers },
  goal,
  adoption,
}: {
  figures: HealthFigures;
  goal: HealthGoal;
  adoption?: { sessions: number | null; users: number | null };
}) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      <Figure label="Crash-free sessions" value={formatShare(health.crashFree)}>
        {sessions.crashed.toLocaleString("en")} of {sessions.total.toLocaleString("en")} crashed
      </Figure>
      <Figure label="Crash-free users" value={formatShare(crashFreeUsers)}>
        {users.total === 0
          ? "no session named a user"
          : `${users.crashed.toLocaleString("en")} of ${users.total.toLocaleString("en")} met a crash`}
      </Figure>
      {adoption && (
        <Figure label="Adoption, last 24 hours" value={formatShare(adoption.sessions)}>
          of sessions; {formatShare(adoption.users)} of users
        </Figure>
      )}
      <Figure label="Target" value={formatShare(goal.target)}>
        floor {formatShare(goal.floor)}
      </Figure>
      <Figure label="Budget" value={formatSpent(health)}>
        {sayBudget(health, sessions.crashed)}
      </Figure>
    </dl>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="grid max-w-72 content-start gap-0.5">
      <dt className="text-muted text-xs">{label}</dt>
      <dd>
        <span className="tabular block font-semibold text-xl">{value}</span>
        <span className="text-muted text-xs">{children}</span>
      </dd>
    </div>
  );
}

/** Says which option makes SDKs send sessions. */
export function NoSessions() {
  return (
    <EmptyState title="No sessions yet">
      <p>A release’s health is counted from the sessions that SDKs send. To switch them on:</p>
      <ul className="list-disc py-2 pl-5 text-left">
        <li>
          Name a <code className="font-mono">release</code> in <code className="font-mono">Sentry.init</code>: sessions
          without one are not sent.
        </li>
        <li>
          Browsers send them by themselves, unless <code className="font-mono">browserSessionIntegration</code> was
          taken out. Node counts requests, unless <code className="font-mono">trackIncomingRequestsAsSessions</code> is
          off.
        </li>
        <li>
          Other SDKs: <code className="font-mono">autoSessionTracking</code>,{" "}
          <code className="font-mono">auto_session_tracking</code>.
        </li>
        <li>
          <code className="font-mono">Sentry.setUser</code> names users, so that they can be counted.
        </li>
      </ul>
      <p>
        <TextLink to="/arrived?category=session">Arrived</TextLink> says whether sessions came and were left out.
      </p>
    </EmptyState>
  );
}
