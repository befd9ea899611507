import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { CronForm } from "./cron-form.tsx";

test("a form that was refused begins with what was typed, also without script", async () => {
  const typed = {
    intent: ["save"],
    name: ["Night"],
    type: ["interval"],
    value: ["90"],
    unit: ["minute"],
    margin: ["x"],
  };
  const Form = () => (
    <CronForm
      intent="save"
      submit="Save"
      values={{ name: "Day", slug: "day", config: null }}
      preview={null}
      error={{ field: "margin", message: "Must be a whole number." }}
      typed={typed}
    />
  );
  const Stub = createRoutesStub([{ path: "/", Component: Form }]);
  render(<Stub />);
  const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true }).value;
  const labels = ["Name", "Slug", "Schedule", "Every", "Unit", "Margin (minutes)", "Longest run (minutes)"];
  expect(labels.map(typedIn)).toEqual(["Night", "day", "interval", "90", "minute", "x", "30"]);
});
