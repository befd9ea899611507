import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface KeyValue {
  key: string;
  value: ReactNode;
  /** Stands at the end of the line: a copy button, a mark. */
  aside?: ReactNode;
}

/** Pairs, keys in a column of their own. Set in mono by default, because they are machine words. */
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
