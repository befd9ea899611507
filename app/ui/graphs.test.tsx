import { render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { BarGraph } from "./bar-graph.tsx";
import { Sparkline } from "./sparkline.tsx";

test("a sparkline says in words what it shows, and draws nothing for nothing", () => {
  render(<Sparkline values={[0, 5, 0]} label="5 events" />);
  const paths = screen.getByRole("img", { name: "5 events" }).querySelectorAll("path");
  expect(paths[1]?.getAttribute("d")).toBe("M4 24v-24h3v24z");
});

test("what is not zero is visible beside something a thousand times as large", () => {
  render(<Sparkline values={[1, 10_000]} label="events" />);
  expect(screen.getByRole("img").querySelectorAll("path")[1]?.getAttribute("d")).toContain("v-1.5");
});

const buckets = [
  { at: Date.UTC(2026, 4, 20, 10), values: [3, 1] },
  { at: Date.UTC(2026, 4, 20, 11), values: [0, 0] },
];
const series = [
  { label: "errors", fillClassName: "fill-error" },
  { label: "warnings", fillClassName: "fill-warning" },
];

test("a bar graph names its total, stacks its series, and tells each bucket", () => {
  render(<BarGraph label="Events" unit="events" series={series} buckets={buckets} bucketMs={3_600_000} />);
  const figure = screen.getByRole("figure", { name: "Events: 4 events" });
  expect(figure.querySelector(".fill-warning")?.getAttribute("d")).toContain("M1 40v-20");
  expect(figure.querySelectorAll("rect")[0]?.getAttribute("data-tip")).toContain("3 errors\n1 warnings");
});

test("marks are read out with what they are, and those too near to be told apart are one", () => {
  const start = buckets[0]?.at ?? 0;
  const markers = [
    { at: start + 60_000, label: "web@1.1 to production" },
    { at: start, label: "web@1.0 to staging" },
    { at: start + 3_600_000, label: "web@1.2 to production" },
    { at: start - 1, label: "before" },
    { at: start + 7_200_000, label: "after" },
  ];
  render(
    <BarGraph label="Events" unit="events" series={series} buckets={buckets} bucketMs={3_600_000} markers={markers} />,
  );
  const items = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(items).toHaveLength(2);
  expect(items[0]).toMatch(/: web@1\.0 to staging, web@1\.1 to production$/);
  expect(items[1]).toMatch(/: web@1\.2 to production$/);
  expect(document.querySelectorAll(".bar-graph-marker")).toHaveLength(2);
});

test("the first HTML is in universal time, whatever the server's zone", () => {
  const html = renderToString(
    <BarGraph label="Events" unit="events" series={series} buckets={buckets} bucketMs={3_600_000} />,
  );
  expect(html).toContain("20 May, 10:00 – 11:00");
});

test("a bucket says the days that it holds, and one of something is not several", () => {
  const day = 86_400_000;
  const from = Date.UTC(2026, 4, 20);
  const draw = (bucketMs: number, at = from) =>
    renderToString(
      <BarGraph
        label="Events"
        unit="events"
        series={[{ label: "Events", fillClassName: "fill-muted" }]}
        buckets={[{ at, values: [1] }]}
        bucketMs={bucketMs}
      />,
    );
  expect(draw(day)).toContain('1 event\n20 May"');
  expect(draw(7 * day)).toContain("20 May – 26 May");
  expect(draw(day / 2, from + day / 2)).toContain("20 May, 12:00 – 00:00");
  expect(draw(day / 2, from + (day * 3) / 4)).toContain("20 May, 18:00 – 21 May, 06:00");
  expect(draw(day)).toContain('aria-label="Events: 1 event"');
});

test("a total that is not the sum of the bars is told as it is given", () => {
  render(<BarGraph label="Users" unit="users" series={series} buckets={buckets} bucketMs={3_600_000} total={2} />);
  expect(screen.getByRole("figure", { name: "Users: 2 users" })).toBeTruthy();
});

test("nothing to draw is nothing drawn", () => {
  const { container } = render(<BarGraph label="Events" unit="events" series={series} buckets={[]} bucketMs={1} />);
  expect(container.innerHTML).toBe("");
});
