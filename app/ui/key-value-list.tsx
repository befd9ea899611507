import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface KeyValue {
  key: string;
  value: ReactNode;
  /** Shown at the end of the line: a copy button, a mark. */
  aside?: ReactNode;
}

/** Pairs of key and value, with the keys in a column of their own. By default they are in a monospaced font, because they are machine words. */
export function KeyValueList({
  pairs,
  isMono = true,
  className,
}: {
  pairs: readonly KeyValue[];
  isMono?: boolean;
  className?: string;
}) {
  return (
    <dl className={classNames("key-values", isMono && "font-mono", className)}>
      {pairs.map((pair) => (
        <div key={pair.key}>
          <dt>{pair.key}</dt>
          <dd>
            <span className="min-w-0 flex-1">{pair.value}</span>
            {pair.aside}
          </dd>
        </div>
      ))}
    </dl>
  );
}
