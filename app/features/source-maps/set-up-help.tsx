import { useSearchParams } from "react-router";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { checkCommand, listSetUpSnippets } from "./set-up-snippets.ts";
import { toUploadTool } from "./upload-tool.ts";

/**
 * Instructions for uploads from a build for each tool, with this project's values, and for a check afterwards. The tool of the
 * project's platform is selected unless the address names one.
 */
export function SetUpHelp({ explain, platform }: { explain: ExplainContext; platform: string }) {
  const [search] = useSearchParams();
  const snippets = listSetUpSnippets(explain);
  const findTool = (id: string | null) => snippets.find((snippet) => snippet.id === id);
  const tool = findTool(search.get("tool")) ?? findTool(toUploadTool(platform)) ?? snippets[0];
  if (!tool) return null;
  const toolSearch = (id: string) => {
    const next = new URLSearchParams(search);
    next.set("tool", id);
    return next.toString();
  };
  return (
    <Panel
      id="set-up"
      title="Upload from a build"
      description="Use the tools for Sentry as they are. Only the address and the token differ."
    >
      <div className="grid gap-5">
        <div className="grid gap-2">
          <p className="text-sm">
            The build needs a token with the scope <code>org:ci</code>, made on{" "}
            <TextLink to={`/settings/tokens?project=${explain.project}`}>the page of tokens</TextLink>, in its
            environment. SENTRY_RELEASE is the release that <code>Sentry.init</code> names. Without it, plugins create
            one of the commit’s name.
          </p>
          <CodeBlock
            label="Environment of the build"
            code={`SENTRY_URL=${explain.serverUrl}/\nSENTRY_AUTH_TOKEN=…\nSENTRY_RELEASE=my-app@1.0.0`}
            isWrapped
          />
        </div>
        <ChoiceLinks
          label="Tool that uploads"
          links={snippets.map(({ id, label }) => ({ to: `?${toolSearch(id)}`, label, isCurrent: id === tool.id }))}
        />
        <div className="grid gap-3">
          {tool.install !== null && <CodeBlock label="Install" code={tool.install} />}
          {tool.files.map(({ name, code }) => (
            <CodeBlock key={name} label={name} code={code} />
          ))}
          {tool.remark !== null && <p className="text-muted text-sm">{tool.remark}</p>}
        </div>
        {tool.folder !== null && (
          <div className="grid gap-2">
            <h3 className="text-base">Check it in the pipeline</h3>
            <p className="text-muted text-sm">
              The command lists the debug ids of the built files. It fails when one of them has no usable source map on
              this server. The token of the build is enough.
            </p>
            <CodeBlock
              label="After the upload"
              code={checkCommand(explain, tool.folder)}
              isWrapped
              className="wrap-anywhere"
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
