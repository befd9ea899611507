import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Link, useSubmit } from "react-router";
import type { MenuItem } from "./menu-item.ts";

export interface MenuOverlayProps {
  label: string | undefined;
  trigger: ReactNode;
  triggerClassName: string;
  items: readonly MenuItem[];
  side: "top" | "right" | "bottom" | "left";
}

/** The menu with script: it has roving focus and type-ahead, and stays within the window. It opens when it is mounted. */
export default function MenuOverlay({ label, trigger, triggerClassName, items, side }: MenuOverlayProps) {
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger data-tip={label} className={triggerClassName}>
        {trigger}
        {label && <span className="sr-only">{label}</span>}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="overlay-panel menu"
          align="start"
          side={side}
          sideOffset={6}
          collisionPadding={8}
        >
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu do not move
            <OverlayItem key={index} item={item} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function OverlayItem({ item }: { item: MenuItem }) {
  const submit = useSubmit();
  switch (item.kind) {
    case "link":
      return (
        <DropdownMenu.Item asChild>
          <Link to={item.to} prefetch="intent" className="menu-item">
            {item.icon}
            {item.label}
          </Link>
        </DropdownMenu.Item>
      );
    case "submit":
      return (
        <DropdownMenu.Item
          className="menu-item"
          aria-current={item.isCurrent || undefined}
          onSelect={() => {
            const fields = item.staysField ? { ...item.fields, [item.staysField]: "1" } : { ...item.fields };
            void submit(fields, { method: "post", action: item.action, navigate: !item.staysField });
          }}
        >
          {item.icon}
          {item.label}
        </DropdownMenu.Item>
      );
    case "button":
      return (
        <DropdownMenu.Item className="menu-item" onSelect={item.onSelect}>
          {item.icon}
          {item.label}
          {item.shortcut && <kbd className="kbd ml-auto">{item.shortcut}</kbd>}
        </DropdownMenu.Item>
      );
    case "heading":
      return <DropdownMenu.Label className="menu-heading">{item.label}</DropdownMenu.Label>;
    case "separator":
      return <DropdownMenu.Separator className="menu-separator" />;
  }
}
