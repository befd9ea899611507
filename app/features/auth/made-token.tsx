import { CodeBlock } from "../../ui/code-block.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";
import type { MadeToken } from "./change-tokens.server.ts";

/** Shows a new token, for the only time. */
export function MadeTokenNotice({ made: { name, secret, environment } }: { made: MadeToken }) {
  return (
    <SecretNotice title={`Token “${name}” made. Copy it now: it is not shown again.`} label="Token" secret={secret}>
      <CodeBlock label="Environment of the build" code={environment} isWrapped />
    </SecretNotice>
  );
}
