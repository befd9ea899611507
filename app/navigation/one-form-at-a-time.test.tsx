import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, Form, RouterProvider } from "react-router";
import { afterEach, describe, expect, test } from "vitest";
import { sendOneFormAtATime } from "./one-form-at-a-time.ts";

let stop = () => {};
afterEach(() => stop());

/** A page with two forms. Its action ends when the test says so. */
function open() {
  const sent: string[] = [];
  const ends: Array<() => void> = [];
  const Page = () => (
    <>
      <Form method="post" aria-label="names">
        <input name="name" aria-label="Name" defaultValue="" />
        <button type="submit">Save name</button>
      </Form>
      <Form method="post" aria-label="keys">
        <button type="submit" name="intent" value="create">
          Create key
        </button>
      </Form>
    </>
  );
  const router = createMemoryRouter([
    {
      path: "/",
      Component: Page,
      loader: () => null,
      action: async ({ request }) => {
        const form = await request.formData();
        sent.push([...form].map((entry) => entry.join("=")).join("&"));
        await new Promise<void>((resolve) => ends.push(resolve));
        return null;
      },
    },
  ]);
  stop = sendOneFormAtATime(router);
  render(<RouterProvider router={router} />);
  const endNext = async () => {
    await waitFor(() => expect(ends).not.toHaveLength(0));
    ends.shift()?.();
  };
  const whenIdle = () => waitFor(() => expect(router.state.navigation.state).toBe("idle"));
  return { sent, ends, endNext, whenIdle };
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("a form", () => {
  test("that is pressed twice is sent once, and again when it is pressed after that", async () => {
    const { sent, ends, endNext, whenIdle } = open();
    await screen.findByRole("button", { name: "Create key" });
    press("Create key");
    press("Create key");
    await endNext();
    await whenIdle();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual(["intent=create"]);
    expect(ends).toEqual([]);
    press("Create key");
    await endNext();
    await whenIdle();
    expect(sent).toEqual(["intent=create", "intent=create"]);
  });

  test("waits for another that is under way, and is sent then", async () => {
    const { sent, endNext } = open();
    await screen.findByRole("button", { name: "Create key" });
    press("Create key");
    press("Save name");
    await waitFor(() => expect(sent).toEqual(["intent=create"]));
    await endNext();
    await waitFor(() => expect(sent).toEqual(["intent=create", "name="]));
    await endNext();
  });

  test("that says something else meanwhile is sent again with it", async () => {
    const { sent, endNext } = open();
    await screen.findByRole("button", { name: "Save name" });
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Ada" } });
    press("Save name");
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Ada L." } });
    press("Save name");
    await endNext();
    await waitFor(() => expect(sent).toEqual(["name=Ada", "name=Ada L."]));
    await endNext();
  });
});
