// biome-ignore-all lint/a11y/useSemanticElements: calls are no options of a field
// biome-ignore-all lint/a11y/useFocusableInteractive: the graph has the focus, and names the call that is active
import { memo } from "react";
import type { ProfileCall as Call, ProfileFunction } from "../../domain/profiles/merge-stacks.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { sayPlace, sayShare } from "./function-words.ts";

/** A call that is narrower than this share of the width shows no name. */
const MIN_NAMED = 0.015;

interface CallProps {
  number: number;
  call: Call;
  function: ProfileFunction;
  totalUs: number;
  left: number;
  width: number;
  isAround: boolean;
  isActive: boolean;
}

/** A call of the flame graph. The graph around it handles presses. */
export const ProfileCall = memo(function ProfileCall(props: CallProps) {
  const { number, call, left, width, isAround, isActive } = props;
  const { name, isInApp } = props.function;
  const isNarrow = width < MIN_NAMED;
  const words = describeCall(props);
  return (
    <div
      id={`call-${number}`}
      role="treeitem"
      aria-level={call.row + 1}
      aria-selected={isActive}
      aria-label={words}
      title={words}
      data-call={number}
      data-hue={0}
      className={classNames(
        "trace-frame-block",
        isInApp ? "profile-own" : "profile-other",
        isNarrow && "trace-frame-narrow",
        isAround && "profile-around",
        isActive && "trace-frame-active",
      )}
      style={{
        left: `${left * 100}%`,
        width: `${width * 100}%`,
        top: `calc(${call.row} * var(--flame-row))`,
      }}
    >
      {!isNarrow && name}
    </div>
  );
});

/** Like `load_cart, shop/cart.py:12, 340 ms, 34 % of the time, 12 ms of its own, in app`. */
function describeCall({ call, totalUs, function: of }: CallProps): string {
  return [
    of.name,
    sayPlace(of),
    formatDuration(call.totalUs),
    `${sayShare(call.totalUs, totalUs)} of the time`,
    `${formatDuration(call.selfUs)} of its own`,
    of.isInApp ? "in app" : "",
  ]
    .filter(Boolean)
    .join(", ");
}
