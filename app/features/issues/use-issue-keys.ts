import { useNavigate } from "react-router";
import { copyText } from "../../ui/copy-text.ts";
import { useToast } from "../../ui/toast.tsx";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { focusSearch } from "../search/focus-search.ts";
import { countStepsBackToList } from "./remembered-lists.ts";

/** Keys of an issue's page. A key presses the button or link where there is one, so that both do the same. */
export function useIssueKeys(): void {
  const navigate = useNavigate();
  const showToast = useToast();
  const press = (name: string) => () => {
    const element = document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);
    element?.click();
    return element !== null;
  };
  useShortcuts({
    "/": focusSearch,
    "[": press("["),
    "]": press("]"),
    e: press("e"),
    "Shift+e": press("Shift+e"),
    m: press("m"),
    "Shift+m": press("Shift+m"),
    u: press("u"),
    n: press("n"),
    "Shift+y": press("Shift+y"),
    y: () =>
      void copyText(window.location.href).then(
        () => showToast({ message: "Link copied." }),
        () => showToast({ message: "The link could not be copied.", tone: "failed" }),
      ),
    Escape() {
      const steps = countStepsBackToList();
      void (steps === null ? navigate("/issues") : navigate(-steps));
    },
  });
}
