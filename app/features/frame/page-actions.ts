/** An action on what is open. */
export interface PageAction {
  label: string;
  /** The key that does the same. Null: there is none. */
  shortcut: string | null;
  act(): void;
}

/** The keys of an issue's page whose buttons, links and fields are in the palette, in this order. */
const KEYS = "e Shift+e f m Shift+m i k a Shift+a p c t l s b z u ] [ Shift+y".split(" ");

/**
 * The actions of the open page of an issue. They press its own buttons, links and fields, so both do the same. An element without a key has
 * a `data-command` with its words in the palette.
 */
export function listPageActions(page: ParentNode | null): PageAction[] {
  if (!page) return [];
  return findActions(page).map(({ element, label, shortcut }) => ({
    label,
    shortcut,
    act() {
      // If the page was drawn again, the same action has a new element.
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
 * The actions of the issue list on the selected issues. If none is selected, on the issue whose row has the focus: it is selected first, as
 * its key does.
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
      // By then the bar of the selection is drawn.
      requestAnimationFrame(() => element.click());
    };
    return [{ label: `${label}: ${what}`, shortcut: element.dataset.shortcut ?? null, act }];
  });
}

function toLabel(element: HTMLElement): string {
  return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
}
