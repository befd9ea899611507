import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Toast, ToastProvider, useToast } from "./toast.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function Shows({ toast }: { toast: Toast }) {
  const show = useToast();
  return (
    <button type="button" onClick={() => show(toast)}>
      show
    </button>
  );
}

function showToast(toast: Toast) {
  render(
    <ToastProvider>
      <Shows toast={toast} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByText("show"));
}

test("it is announced, and goes by itself", () => {
  showToast({ message: "3 issues resolved." });
  expect(screen.getByRole("status").textContent).toContain("3 issues resolved.");
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.queryByText("3 issues resolved.")).toBeNull();
});

test("it stays while one points at it", () => {
  showToast({ message: "Done." });
  fireEvent.pointerEnter(screen.getByText("Done.").closest(".toast-timed") as Element);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText("Done.")).toBeTruthy();
});

test("its action is done once, and takes it away", () => {
  const onSelect = vi.fn();
  showToast({ message: "Done.", action: { label: "Undo", onSelect } });
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onSelect).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("Done.")).toBeNull();
});
