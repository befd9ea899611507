import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Checkbox, CheckboxField, Select, SelectField, TextField } from "./field.tsx";

test("label, hint and error belong to the control", () => {
  render(<TextField label="E-mail" hint="For signing in." error="That is no address." name="email" />);
  const control = screen.getByRole("textbox", { name: "E-mail" });
  expect(control.getAttribute("aria-invalid")).toBe("true");
  const described = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    "That is no address.",
    "For signing in.",
  ]);
});

test("without hint and error it is described by nothing", () => {
  render(
    <SelectField label="Platform">
      <option>Go</option>
    </SelectField>,
  );
  const control = screen.getByRole("combobox", { name: "Platform" });
  expect(control.hasAttribute("aria-describedby")).toBe(false);
  expect(control.hasAttribute("aria-invalid")).toBe(false);
});

test("a check box has its label beside it", () => {
  render(<CheckboxField label="Stay signed in" hint="On this device." />);
  const box = screen.getByRole("checkbox", { name: "Stay signed in" });
  expect(document.getElementById(box.getAttribute("aria-describedby") ?? "")?.textContent).toBe("On this device.");
});

test("a select follows what the page shows, is the same element, and keeps the focus", () => {
  const show = (chosen: string) => (
    <Select aria-label="Order" defaultValue={chosen}>
      <option value="date">By date</option>
      <option value="version">By version</option>
    </Select>
  );
  const { rerender } = render(show("date"));
  const select = screen.getByRole<HTMLSelectElement>("combobox", { name: "Order" });
  select.focus();
  select.value = "version";
  rerender(show("version"));
  expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Order" }));
  rerender(show("date"));
  expect(select.value).toBe("date");
});

test("a check box follows what the page shows, is the same element, and keeps the focus", () => {
  const show = (isOn: boolean) => <Checkbox aria-label="p50" defaultChecked={isOn} />;
  const { rerender } = render(show(false));
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "p50" });
  box.focus();
  box.click();
  rerender(show(true));
  expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: "p50" }));
  expect(box.checked).toBe(true);
  rerender(show(false));
  expect(box.checked).toBe(false);
});
