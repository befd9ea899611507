import type { ProfileView } from "./profile-view.ts";

export function toProfileTitle({ form, id, transaction }: Pick<ProfileView, "form" | "id" | "transaction">): string {
  if (form === "chunk") return `Profiler ${id.slice(0, 8)}`;
  return transaction === null ? `Profile ${id.slice(0, 8)}` : `Profile of ${transaction}`;
}
