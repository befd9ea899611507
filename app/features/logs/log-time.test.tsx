import { render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ClockProvider } from "../../ui/clock.tsx";
import { LogTime } from "./log-time.tsx";

const NOW = new Date(2026, 0, 2, 12).getTime();

afterEach(() => {
  vi.useRealTimers();
});

test("a time of another year has its year", () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  const show = (...date: [year: number, month: number, day: number, hour: number]) => {
    const { container, unmount } = render(
      <ClockProvider renderedAt={NOW}>
        <LogTime occurredUs={new Date(...date).getTime() * 1000} />
      </ClockProvider>,
    );
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(show(2026, 0, 1, 3)).toBe("01-01 03:00:00.000");
  expect(show(2025, 11, 31, 3)).toBe("2025-12-31 03:00:00.000");
});
