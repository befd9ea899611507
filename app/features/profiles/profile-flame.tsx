// biome-ignore-all lint/a11y/useSemanticElements: calls are no options of a field
// biome-ignore-all lint/a11y/useFocusableInteractive: the graph has the focus, and names the call that is active
import { ZoomOut } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { sayPlace, sayShare } from "./function-words.ts";
import { ProfileCall } from "./profile-call.tsx";
import type { DrawnProfile } from "./profile-view.ts";
import { showCalls, stepTo } from "./show-calls.ts";

/** The flame graph of a thread: each function below its caller, as wide as the time that it took. */
export function ProfileFlame({
  drawn,
  zoomed,
  onZoom,
}: {
  drawn: DrawnProfile;
  /** Index of the call that takes the whole width. Null: all calls are shown. */
  zoomed: number | null;
  onZoom: (to: number | null) => void;
}) {
  const { calls, functions, totalUs } = drawn;
  const [wanted, setActive] = useState(zoomed ?? 0);
  const frame = useRef<HTMLDivElement>(null);
  const shown = showCalls(calls, totalUs, zoomed);
  const at = shown.some(({ index }) => index === wanted) ? wanted : (zoomed ?? 0);
  const active = calls[at];
  const rowCount = shown.reduce((rows, { index }) => Math.max(rows, (calls[index]?.row ?? 0) + 1), 0);

  const move = (to: number | undefined) => {
    if (to === undefined) return;
    setActive(to);
    document.getElementById(`call-${to}`)?.scrollIntoView({ block: "nearest" });
  };
  const zoom = (to: number) => {
    setActive(to);
    onZoom(to);
  };
  const zoomOut = () => {
    onZoom(null);
    frame.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Enter") zoom(at);
    else if (event.key === "Escape" && zoomed !== null) onZoom(null);
    else if (event.key.startsWith("Arrow") || event.key === "Home")
      move(stepTo(calls, shown, { from: at, key: event.key }));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent) => {
    const pressed = (event.target as HTMLElement).closest<HTMLElement>("[data-call]")?.dataset.call;
    if (pressed !== undefined) zoom(Number(pressed));
  };
  return (
    <>
      <div className="profile-words">
        <ul className="profile-legend" aria-label="What calls look like">
          <li>
            <span className="profile-swatch profile-own" data-hue={0} aria-hidden="true" /> in app
          </li>
          <li>
            <span className="profile-swatch profile-other" data-hue={0} aria-hidden="true" /> other code
          </li>
        </ul>
        {zoomed !== null && (
          <Button size="sm" variant="quiet" icon={<ZoomOut aria-hidden="true" />} onClick={zoomOut}>
            Whole profile
          </Button>
        )}
        {active && <ActiveCall drawn={drawn} at={at} />}
      </div>
      <div
        ref={frame}
        className="trace-flame profile-flame"
        role="tree"
        aria-label="Flame graph"
        aria-activedescendant={active ? `call-${at}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          className="trace-flame-rows"
          role="presentation"
          style={{ blockSize: `calc(${rowCount} * var(--flame-row))` }}
        >
          {shown.map(({ index, ...place }) => {
            const call = calls[index];
            const of = call && functions[call.function];
            return (
              of && (
                <ProfileCall
                  key={index}
                  number={index}
                  call={call}
                  function={of}
                  totalUs={totalUs}
                  isActive={index === at}
                  {...place}
                />
              )
            );
          })}
        </div>
      </div>
      <p className="needs-script trace-flame-note text-muted">
        Press a call, or <kbd>Enter</kbd> on it, to give it the whole width. <kbd>Esc</kbd> shows all. Arrow keys move.
      </p>
    </>
  );
}

function ActiveCall({ drawn: { calls, functions, totalUs }, at }: { drawn: DrawnProfile; at: number }) {
  const call = calls[at];
  const of = call && functions[call.function];
  if (!of) return null;
  return (
    <p className="profile-active">
      <bdi className="font-mono font-semibold">{of.name}</bdi>{" "}
      <bdi className="font-mono text-muted">{sayPlace(of)}</bdi>{" "}
      <span className="tabular">
        {formatDuration(call.totalUs)} ({sayShare(call.totalUs, totalUs)}), {formatDuration(call.selfUs)} of its own
      </span>
    </p>
  );
}
