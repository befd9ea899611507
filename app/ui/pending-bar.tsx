/** A thin moving line at the top of the window while a navigation waits. When to show it is the caller's decision. */
export function PendingBar({ isPending }: { isPending: boolean }) {
  return (
    <>
      <div className="pending-bar" data-pending={isPending || undefined} aria-hidden="true" />
      <span role="status" className="sr-only">
        {isPending ? "Loading" : ""}
      </span>
    </>
  );
}
