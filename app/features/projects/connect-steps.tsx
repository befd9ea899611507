import type { ReactNode } from "react";
import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { PLATFORMS, toPlatform, withDsn } from "./platforms.ts";

/** How to point an SDK at the project: platform links, then install, configure, verify. */
export function ConnectSteps({ platform: platformId, dsn }: { platform: string; dsn: string }) {
  const platform = toPlatform(platformId);
  return (
    <Panel
      title="Connect an application"
      description="The Sentry SDKs, as they are. An application that has one already only needs the new DSN."
    >
      <div className="grid gap-5">
        <nav aria-label="Platform">
          <ul className="flex flex-wrap gap-1.5">
            {PLATFORMS.map(({ id, label }) => (
              <li key={id}>
                <Link
                  to={`?platform=${id}`}
                  replace
                  preventScrollReset
                  aria-current={id === platform.id ? "true" : undefined}
                  className="inline-flex h-7 items-center rounded-md border border-line-strong px-2.5 text-muted text-xs hover:bg-hover hover:text-ink aria-[current=true]:border-mark-edge aria-[current=true]:bg-mark aria-[current=true]:font-semibold aria-[current=true]:text-on-mark pointer-coarse:h-9"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ol className="grid gap-5">
          {platform.install.length > 0 && (
            <Step title="Install the SDK">
              <div className="grid gap-2 lg:grid-flow-col lg:auto-cols-fr">
                {platform.install.map(({ label, code }) => (
                  <CodeBlock key={label} label={label} code={code} className="min-w-0" />
                ))}
              </div>
            </Step>
          )}
          <Step title="Configure it">
            {platform.files.map(({ name, code }) => (
              <CodeBlock key={name} label={name} code={withDsn(code, dsn)} />
            ))}
          </Step>
          <Step title="Break something">
            <CodeBlock label="Anywhere it runs" code={withDsn(platform.verify.code, dsn)} />
          </Step>
        </ol>
      </div>
    </Panel>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid gap-2">
      <h3 className="text-md">{title}</h3>
      {children}
    </li>
  );
}
