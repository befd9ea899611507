import { useEffect, useRef } from "react";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { MadeToken } from "./change-tokens.server.ts";

/** A new token, the only time that it is shown. Takes the focus: the button that made it may be a screen further down. */
export function MadeTokenNotice({ made }: { made: MadeToken }) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each token
  useEffect(() => place.current?.focus(), [made.secret]);
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-4 rounded-md">
      <Notice tone="done" title={`Token “${made.name}” made. Copy it now: it is not shown again.`}>
        <div className="grid gap-3 pt-2">
          <CopyField label="Token" value={made.secret} />
          <CodeBlock label="Environment of the build" code={made.environment} isWrapped />
        </div>
      </Notice>
    </div>
  );
}
