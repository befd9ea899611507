/** Something that can be done with what is open. */
export interface PageAction {
  label: string;
  /** The key that does the same; null: there is none. */
  shortcut: string | null;
  act(): void;
}

/** Keys whose buttons, links and fields of an issue's page stand in the palette, in this order. */
const KEYS = "e Shift+e f m Shift+m i k a Shift+a p c t l s b z u ] [ Shift+y".split(" ");

/**
 * What the page that is open can do, by its own buttons, links and fields: they are pressed, so that both do the same. What
 * has no key has a `data-command`, its words in the palette.
 */
export function listPageActions(page: ParentNode | null): PageAction[] {
  if (!page) return [];
  return findActions(page).map(({ element, label, shortcut }) => ({
    label,
    shortcut,
    act() {
      // A page that was drawn again has a new element for the same action.
      const now = element.isConnected ? element : findActions(page).find((each) => each.label === label)?.element;
      if (now?.matches("input, textarea")) now.focus();
      else now?.click();
    },
  }));
}

interface FoundAction {
  element: HTMLElement;
  label: string;
  shortcut: string | null;
}

function findActions(page: ParentNode): FoundAction[] {
  const keyed = KEYS.flatMap((shortcut): FoundAction[] => {
    const element = page.querySelector<HTMLElement>(`[data-shortcut="${shortcut}"], [data-focus="${shortcut}"]`);
    return element ? [{ element, label: toLabel(element), shortcut }] : [];
  });
  const named = [...page.querySelectorAll<HTMLElement>("[data-command]")].map((element) => ({
    element,
    label: element.dataset.command ?? "",
    shortcut: null,
  }));
  return [...keyed, ...named].filter(({ label }) => label !== "");
}

/**
 * What the list of issues can do with those that are selected, else with the one whose row has the focus: that one is selected then, as by
 * its key.
 */
export function listSelectionActions(list: ParentNode | null, focused: Element | null): PageAction[] {
  if (!list) return [];
  const count = list.querySelectorAll("input[name=issue]:checked").length;
  const row = count === 0 ? focused?.closest("[data-issue]") : null;
  const box = row?.querySelector<HTMLInputElement>("input[name=issue]");
  if (count === 0 && !box) return [];
  const what = count > 0 ? `${count} selected` : "this issue";
  const buttons = list.querySelectorAll<HTMLElement>(".issue-bulk > :is(button, .needs-script)");
  return [...buttons].flatMap((place) => {
    const element = place.matches("button") ? place : place.querySelector<HTMLElement>("button, summary");
    const label = element ? toLabel(element) : "";
    if (!element || label === "") return [];
    const act = () => {
      box?.click();
      // The bar of the selection is drawn by then.
      requestAnimationFrame(() => element.click());
    };
    return [{ label: `${label}: ${what}`, shortcut: element.dataset.shortcut ?? null, act }];
  });
}

function toLabel(element: HTMLElement): string {
  return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
}
