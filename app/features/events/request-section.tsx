import type { RequestInterface } from "../../domain/event.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { toCurl } from "./to-curl.ts";
import { ValueTree } from "./value-tree.tsx";

/** The HTTP request during which the event happened. Scrubbed values are marked. */
export function RequestSection({ request }: { request: RequestInterface }) {
  const query = request.query_string ?? [];
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <p className="min-w-0 flex-1 font-mono text-sm">
          <strong>{request.method ?? "GET"}</strong> {request.url ?? "unknown address"}
          {query.length > 0 && (
            <span className="text-muted">?{query.map(([name, value]) => `${name}=${value}`).join("&")}</span>
          )}
          {request.fragment && <span className="text-muted">#{request.fragment}</span>}
        </p>
        <CopyButton text={() => toCurl(request)} label="Copy as cURL" />
      </div>
      <Pairs title="Query" pairs={query} />
      {request.data !== undefined && request.data !== null && request.data !== "" && (
        <Disclosure open summary={`Body${request.inferred_content_type ? ` (${request.inferred_content_type})` : ""}`}>
          <div className="pt-2 pl-5 font-mono text-sm">
            <ValueTree value={request.data} />
          </div>
        </Disclosure>
      )}
      <Pairs title="Headers" pairs={request.headers ?? []} />
      <Pairs title="Cookies" pairs={request.cookies ?? []} />
      <Pairs title="Environment" pairs={Object.entries(request.env ?? {})} />
    </div>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: ReadonlyArray<[string, unknown]> }) {
  if (pairs.length === 0) return null;
  return (
    <Disclosure open={pairs.length <= 12 || undefined} summary={`${title} (${pairs.length})`}>
      <KeyValueList
        className="pt-2 pl-5"
        pairs={pairs.map(([key, value], index) => {
          const earlier = pairs.slice(0, index).filter(([other]) => other === key).length;
          return { key: earlier === 0 ? key : `${key} (${earlier + 1})`, value: <ValueTree value={value} /> };
        })}
      />
    </Disclosure>
  );
}
