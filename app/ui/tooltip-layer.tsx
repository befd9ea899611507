import { useEffect } from "react";

const SHOW_AFTER_MS = 350;
/** If the pointer moves to the next element within this time, its tooltip shows at once. */
const STAYS_WARM_MS = 400;

/**
 * One tooltip for the whole document. Any element with `data-tip` gets it on hover and on keyboard focus, so rows need an attribute and no
 * component. The words must also be in the element's accessible name or description. The tooltip of a `time` shows its instant in local and
 * universal time.
 */
export function TooltipLayer() {
  useEffect(() => {
    const bubble = document.createElement("div");
    bubble.className = "tooltip";
    bubble.popover = "manual";
    bubble.setAttribute("aria-hidden", "true");
    document.body.append(bubble);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let target: HTMLElement | SVGElement | null = null;
    let hiddenAt = 0;

    const hide = () => {
      clearTimeout(timer);
      target = null;
      if (!bubble.matches(":popover-open")) return;
      bubble.hidePopover();
      hiddenAt = Date.now();
    };
    const show = () => {
      // An element whose panel is open needs no tooltip.
      const isOpen = target?.matches("[aria-expanded=true], details[open] > summary");
      const text = target?.isConnected && !isOpen ? tipOf(target) : "";
      if (!target || !text) return;
      bubble.textContent = text;
      bubble.showPopover();
      const anchor = target.getBoundingClientRect();
      const { width, height } = bubble.getBoundingClientRect();
      const above = anchor.top - height - 6;
      const left = anchor.left + anchor.width / 2 - width / 2;
      bubble.style.top = `${above < 4 ? anchor.bottom + 6 : above}px`;
      bubble.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - width - 4))}px`;
    };
    const arm = (event: Event) => {
      const next =
        event.target instanceof Element
          ? event.target.closest<HTMLElement | SVGElement>("[data-tip], time[datetime]")
          : null;
      if (next === target) return;
      hide();
      if (!next) return;
      if (event.type === "focusin" && !next.matches(":focus-visible")) return;
      target = next;
      // Otherwise the browser's own tooltip would appear as well.
      next.removeAttribute("title");
      const isWarm = "tipAtOnce" in next.dataset || Date.now() - hiddenAt < STAYS_WARM_MS;
      timer = setTimeout(show, isWarm ? 0 : SHOW_AFTER_MS);
    };
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };

    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && arm(event), { signal });
    document.addEventListener("focusin", arm, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("pointerdown", hide, { signal });
    document.addEventListener("keydown", hideOnEscape, { signal });
    document.addEventListener("scroll", hide, { signal, capture: true, passive: true });
    return () => {
      ending.abort();
      hide();
      bubble.remove();
    };
  }, []);
  return null;
}

function tipOf(element: HTMLElement | SVGElement): string {
  if (element.dataset.tip) return element.dataset.tip;
  const at = new Date(element.getAttribute("datetime") ?? "");
  if (Number.isNaN(at.getTime())) return "";
  const local = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return `${local}\n${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
