import type { ReactNode } from "react";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
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
        <ChoiceLinks
          label="Platform"
          links={PLATFORMS.map(({ id, label }) => ({
            to: `?platform=${id}`,
            label,
            isCurrent: id === platform.id,
          }))}
        />
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
            <CodeBlock label="Anywhere it runs" code={withDsn(platform.verify, dsn)} />
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
