import type { ReactNode } from "react";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toUploadHelpPath } from "../source-maps/source-map-paths.ts";
import { toUploadTool } from "../source-maps/upload-tool.ts";
import { type ProjectAddresses, SNIPPETS, withAddresses } from "./platform-snippets.ts";
import { PLATFORMS, toPlatform } from "./platforms.ts";

/** How to connect an SDK to the project: choose a platform, then install, configure, verify, and what else it can send. */
export function ConnectSteps({
  slug,
  platform,
  addresses,
}: {
  slug: string;
  platform: string;
  addresses: ProjectAddresses;
}) {
  const { id } = toPlatform(platform);
  const { install, files, verify, logs, isBrowser } = SNIPPETS[id];
  const tool = toUploadTool(id);
  return (
    <Panel
      title="Connect an application"
      description="Use the Sentry SDKs as they are. If your application has one already, change only the DSN."
    >
      <div className="grid gap-5">
        <ChoiceLinks
          label="Platform"
          links={PLATFORMS.map((one) => ({ to: `?platform=${one.id}`, label: one.label, isCurrent: one.id === id }))}
        />
        <ol className="grid gap-5">
          {install.length > 0 && (
            <Step title="Install the SDK">
              <div className="grid gap-2 lg:grid-flow-col lg:auto-cols-fr">
                {install.map(({ label, code }) => (
                  <CodeBlock key={label} label={label} code={code} className="min-w-0" />
                ))}
              </div>
            </Step>
          )}
          <Step title="Configure it">
            {files.map(({ name, code }) => (
              <CodeBlock key={name} label={name} code={withAddresses(code, addresses)} />
            ))}
          </Step>
          <Step title="Break something">
            <CodeBlock label="Anywhere it runs" code={withAddresses(verify, addresses)} />
          </Step>
          {tool !== null && (
            <Step title={tool === "android" ? "Upload mappings of R8" : "Upload source maps"}>
              <p className="text-muted text-sm">
                {tool === "android"
                  ? "With them, stack traces show your names and lines instead of the shortened ones."
                  : "With them, stack traces show your source instead of the built code."}{" "}
                <TextLink to={toUploadHelpPath(slug, tool)}>How the build uploads them</TextLink>
              </p>
            </Step>
          )}
          {logs && (
            <Step title="Send logs, too">
              <p className="text-muted text-sm">Most SDKs send no log lines until you switch them on.</p>
              <CodeBlock label={logs.place} code={logs.option} />
              <CodeBlock label="A line of your code" code={logs.call} />
            </Step>
          )}
          {isBrowser && (
            <Step title="Get past content blockers">
              <BlockerAdvice tunnel={addresses.tunnel} />
            </Step>
          )}
        </ol>
      </div>
    </Panel>
  );
}

function BlockerAdvice({ tunnel }: { tunnel: string }) {
  const { host, pathname } = URL.canParse(tunnel) ? new URL(tunnel) : { host: "culprit.example", pathname: "/t/" };
  return (
    <>
      <p className="text-muted text-sm">
        Content blockers know the usual path of a DSN. They do not know this path, which accepts the same reports:
      </p>
      <CodeBlock label="In Sentry.init" code={`tunnel: "${tunnel}",`} />
      <p className="text-muted text-sm">
        Some block the host, too. Then forward a path of your own site to Culprit and use it as the tunnel. Set
        TRUST_PROXY on the Culprit server, so that events keep the address of their sender:
      </p>
      <CodeBlock
        label="nginx of your site"
        code={`location ${pathname} {
  proxy_pass ${tunnel.slice(0, -pathname.length)};
  proxy_ssl_server_name on;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  client_max_body_size 20m;
}`}
      />
      <CodeBlock
        label="Caddyfile of your site"
        code={`reverse_proxy ${pathname}* ${tunnel.slice(0, -pathname.length)} {
  header_up Host ${host}
}`}
      />
      <CodeBlock label="In Sentry.init, with one of these" code={`tunnel: "${pathname}",`} />
    </>
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
