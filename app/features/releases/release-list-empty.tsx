import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/text-link.tsx";

const COMMANDS = `sentry-cli releases new "web@1.4.0"
sentry-cli releases set-commits "web@1.4.0" --local
sentry-cli releases finalize "web@1.4.0"
sentry-cli deploys new --release "web@1.4.0" -e production`;

/** Says that nothing matches, or how to make the first release. */
export function ReleaseListEmpty({ hasAny }: { hasAny: boolean }) {
  if (hasAny) {
    return (
      <EmptyState title="No release matches" actions={<LinkButton to="/releases">Clear the filter</LinkButton>}>
        Try another project or another part of a version. The filter shows archived releases, too.
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto grid max-w-prose gap-4 px-4 py-10">
      <h2 className="text-lg">No releases of your applications yet</h2>
      <p className="text-muted text-sm">
        The first event or session that names a release makes it. Tell the SDK which version runs:
      </p>
      <CodeBlock code={'Sentry.init({ dsn: "…", release: "web@1.4.0" });'} label="Set-up of the SDK" />
      <p className="text-muted text-sm">
        Or let the build make it: it can also send commits and deploys. It needs a{" "}
        <TextLink to="/settings/tokens">token</TextLink>.
      </p>
      <CodeBlock code={COMMANDS} label="Commands of a build" />
    </div>
  );
}
