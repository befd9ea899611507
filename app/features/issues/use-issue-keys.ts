import { useNavigate } from "react-router";
import { focusSearch } from "../../ui/focus-search.ts";
import { useCopyLink } from "../../ui/use-copy-link.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { countStepsBackToList } from "./remembered-lists.ts";

/** Keyboard shortcuts of an issue's page. A key presses the button or link if there is one, so that both do the same. */
export function useIssueKeys(): void {
  const navigate = useNavigate();
  const copyLink = useCopyLink();
  const press = (name: string) => () => {
    const element = document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);
    element?.click();
    return element !== null;
  };
  const focus = (name: string) => () => {
    const field = document.querySelector<HTMLElement>(`[data-focus="${name}"]`);
    field?.focus();
    return field !== null;
  };
  useShortcuts({
    "/": focusSearch,
    "[": press("["),
    "]": press("]"),
    e: press("e"),
    "Shift+e": press("Shift+e"),
    m: press("m"),
    "Shift+m": press("Shift+m"),
    i: press("i"),
    f: press("f"),
    c: focus("c"),
    l: focus("l"),
    t: press("t"),
    s: press("s"),
    b: press("b"),
    a: press("a"),
    "Shift+a": press("Shift+a"),
    p: press("p"),
    k: press("k"),
    z: press("z"),
    n: press("n"),
    "Shift+y": press("Shift+y"),
    y: copyLink,
    Escape() {
      const steps = countStepsBackToList();
      void (steps === null ? navigate("/issues") : navigate(-steps));
    },
  });
}
