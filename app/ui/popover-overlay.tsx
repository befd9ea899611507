import { Popover } from "radix-ui";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPath, useLocation } from "react-router";
import { fillFields, readFields, type SentFields } from "./sent-fields.ts";

/** The arrow keys go through the items of a panel, also from the field that filters them. */
function stepThroughItems(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.defaultPrevented || !(event.target as Element).matches(".menu-item, [type=search]")) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(".menu-item:not(:disabled)")];
  const at = items.indexOf(event.target as HTMLElement);
  items[at < 0 && by < 0 ? -1 : at + by]?.focus();
  event.preventDefault();
}

/** The popover with script. It opens when it is mounted. */
export default function PopoverOverlay({
  label,
  trigger,
  triggerClassName,
  align,
  shortcut,
  children,
}: {
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  align: "start" | "end";
  shortcut: string | undefined;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(true);
  // The key of the location would not do: it is also new when a form of this page is answered, and somebody may have opened the panel
  // meanwhile.
  const address = createPath(useLocation());
  const openedAt = useRef(address);
  // When the panel closes, it is not known whether the form is accepted. So people who open it again on this page find what they typed.
  const sent = useRef<SentFields>([]);
  // This runs with the commit. Later, it would close a panel that somebody has opened on the new page meanwhile.
  useLayoutEffect(() => {
    // A link in the panel has led to another page.
    if (openedAt.current !== address) {
      setIsOpen(false);
      sent.current = [];
    }
    openedAt.current = address;
  }, [address]);
  const onClick = ({ target }: MouseEvent) => {
    // A link in the panel that leads to the current page closes it, too.
    if (target instanceof Element && target.closest("a")?.href === window.location.href) setIsOpen(false);
  };
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A button in the panel has sent a form. The form may be elsewhere, because fields can name it.
    const onSubmit = ({ submitter }: SubmitEvent) => {
      if (!submitter || !content.current?.contains(submitter)) return;
      sent.current = readFields(content.current);
      setIsOpen(false);
    };
    document.addEventListener("submit", onSubmit);
    return () => document.removeEventListener("submit", onSubmit);
  }, []);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger className={triggerClassName} data-shortcut={shortcut}>
        {trigger}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          ref={content}
          onClick={onClick}
          onKeyDown={stepThroughItems}
          onOpenAutoFocus={() => content.current && fillFields(content.current, sent.current)}
          aria-label={label}
          className="overlay-panel p-3"
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
