import type { RefObject } from "react";
import { useSubmit } from "react-router";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { useMay } from "../frame/use-may.tsx";

/** Keys of the inbox. They act on the row whose link has the focus. If there is none, they act on the open feedback. */
export function useFeedbackKeys({
  form,
  here,
  openId,
}: {
  form: RefObject<HTMLFormElement | null>;
  /** The address of the page, to which changes are posted. */
  here: string;
  openId: number | null;
}): void {
  const mayChange = useMay("event:write");
  const submit = useSubmit();
  const rows = () => [...(form.current?.querySelectorAll<HTMLElement>("[data-feedback]") ?? [])];
  const current = () => {
    const focused = rows().findIndex((row) => row.contains(document.activeElement));
    return focused >= 0 ? focused : rows().findIndex((row) => row.dataset.feedback === String(openId));
  };
  const move = (step: number) => {
    const all = rows();
    const at = current();
    const row = all[at < 0 ? 0 : Math.max(0, Math.min(at + step, all.length - 1))];
    row?.querySelector("a")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };
  const act = (intent: string, extra: Record<string, string> = {}) => {
    if (!mayChange) return false;
    const at = current();
    const checked = rows().flatMap((row) => row.querySelector<HTMLInputElement>("input:checked")?.value ?? []);
    const one = rows()[at]?.dataset.feedback ?? (openId === null ? undefined : String(openId));
    const ids = checked.length > 0 ? checked : one === undefined ? [] : [one];
    if (ids.length === 0) return false;
    const body = new FormData();
    for (const [name, value] of Object.entries({ intent, ...extra })) body.append(name, value);
    for (const id of ids) body.append("feedback", id);
    // The row that takes the place of the removed one gets the focus.
    const all = rows();
    const stays = ({ dataset }: HTMLElement) => !ids.includes(dataset.feedback ?? "");
    const next = all.slice(at + 1).find(stays) ?? all.slice(0, Math.max(at, 0)).findLast(stays);
    next?.querySelector("a")?.focus();
    void submit(body, { method: "post", action: here, preventScrollReset: true });
    return true;
  };
  const toggle = () => {
    const box = rows()[current()]?.querySelector<HTMLInputElement>("input[name=feedback]");
    box?.click();
    return box !== null && box !== undefined;
  };

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    o: () => rows()[current()]?.querySelector("a")?.click(),
    x: toggle,
    e: () => act("resolve"),
    r: () => act("reopen"),
    m: () => act("spam"),
    a: () => act("assign", { to: "me" }),
  });
}
