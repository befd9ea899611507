/** Something that can be done with what is open. */
export interface PageAction {
  label: string;
  /** The key that does the same. */
  shortcut: string;
  act(): void;
}

/** Keys whose buttons and links of an issue's page stand in the palette, in this order. */
const KEYS = ["e", "Shift+e", "m", "Shift+m", "i", "a", "Shift+a", "p", "t", "s", "b", "z", "u", "]", "[", "Shift+y"];

/** What the page that is open can do, by its own buttons and links: they are pressed, so that both do the same. */
export function listPageActions(page: ParentNode | null): PageAction[] {
  if (!page) return [];
  return KEYS.flatMap((shortcut) => {
    const element = page.querySelector<HTMLElement>(`[data-shortcut="${shortcut}"]`);
    const label = element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    return element && label !== "" ? [{ label, shortcut, act: () => element.click() }] : [];
  });
}
