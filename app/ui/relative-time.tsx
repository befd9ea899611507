import { useNow } from "./clock.tsx";
import { formatAge, formatAgo } from "./format-age.ts";

/**
 * How long ago something was, with the instant in its tooltip. The server renders it, and script keeps it current. `at`: milliseconds since
 * 1970.
 */
export function RelativeTime({
  at,
  form = "ago",
  className,
}: {
  at: number;
  form?: "ago" | "age";
  className?: string;
}) {
  const age = useNow() - at;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace("T", " ")} UTC`} className={className}>
      {form === "ago" ? formatAgo(age) : formatAge(age)}
    </time>
  );
}
