import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { buttonClassNames } from "./button.tsx";
import type { MenuItem } from "./menu-item.ts";
import type { MenuOverlayProps } from "./menu-overlay.tsx";
import { OverlaySwap } from "./overlay-swap.tsx";

const loadMenuOverlay = () => import("./menu-overlay.tsx");

/** A button that opens a list of links and actions. */
export function Menu({
  label,
  trigger,
  triggerClassName = buttonClassNames("secondary"),
  items,
  side = "bottom",
}: {
  /** The accessible name of the trigger. Leave it out if `trigger` has words. */
  label?: string;
  trigger: ReactNode;
  triggerClassName?: string;
  items: readonly MenuItem[];
  side?: MenuOverlayProps["side"];
}) {
  return (
    <OverlaySwap
      load={loadMenuOverlay}
      overlayProps={{ label, trigger, triggerClassName, items, side }}
      triggerLabel={label}
      triggerClassName={triggerClassName}
      trigger={trigger}
    >
      <ul className="menu">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu do not move
          <li key={index}>
            <NativeItem item={item} />
          </li>
        ))}
      </ul>
    </OverlaySwap>
  );
}

function NativeItem({ item }: { item: MenuItem }) {
  switch (item.kind) {
    case "link":
      return (
        <Link to={item.to} className="menu-item">
          {item.icon}
          {item.label}
        </Link>
      );
    case "submit":
      return (
        <Form method="post" action={item.action}>
          {Object.entries(item.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="menu-item" aria-current={item.isCurrent || undefined}>
            {item.icon}
            {item.label}
          </button>
        </Form>
      );
    case "heading":
      return <span className="menu-heading">{item.label}</span>;
    case "separator":
      return <hr className="menu-separator" />;
    case "button":
      return null;
  }
}
