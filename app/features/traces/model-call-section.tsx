import type { ModelCall, TokenCounts } from "../../domain/traces/model-call.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { formatCount } from "../../ui/count.tsx";

/** A call of a language model: which model, how many tokens, and what was said. */
export function ModelCallSection({ call }: { call: ModelCall }) {
  const { model, provider, tokens, messages, messageCount } = call;
  return (
    <>
      <h3>Model</h3>
      <dl className="trace-pairs">
        {model && (
          <div>
            <dt>model</dt>
            <dd>
              <bdi>{showTurns(model)}</bdi> {provider && <span className="text-muted">{showTurns(provider)}</span>}
            </dd>
          </div>
        )}
        {tokens && (
          <div>
            <dt>tokens</dt>
            <dd>{sayTokens(tokens)}</dd>
          </div>
        )}
      </dl>
      {messages.length > 0 && (
        <>
          <h3>
            Messages <span className="font-normal text-faint">{formatCount(messageCount)}</span>
          </h3>
          {messageCount > messages.length && (
            <p className="px-4 text-muted text-xs">Only the last {messages.length} are shown.</p>
          )}
          <ol className="trace-messages">
            {messages.map(({ role, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call do not move
              <li key={index}>
                <span className="text-muted">{showTurns(role)}</span>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
                <pre className="trace-long-value" dir="auto" tabIndex={0}>
                  {showTurns(text)}
                </pre>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function sayTokens({ input, cached, output, reasoning }: TokenCounts): string {
  const say = (count: number | null, word: string, part: number | null, partWord: string) =>
    count === null ? null : `${formatCount(count)} ${word}${part ? ` (${formatCount(part)} ${partWord})` : ""}`;
  return [say(input, "in", cached, "cached"), say(output, "out", reasoning, "reasoning")].filter(Boolean).join(", ");
}
