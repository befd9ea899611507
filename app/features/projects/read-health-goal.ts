import { type HealthGoal, MIN_HEALTH_SHARE, parseShare } from "../../domain/releases/release-health.ts";

/** Reads the project's goals for its releases from a form. */
export function readHealthGoal(
  form: FormData,
): { ok: true; goal: HealthGoal } | { ok: false; field: "target" | "floor"; message: string } {
  const read = (field: "target" | "floor") => parseShare(String(form.get(field) ?? ""), MIN_HEALTH_SHARE);
  const [target, floor] = [read("target"), read("floor")];
  const wanted = `Must be a number from ${MIN_HEALTH_SHARE * 100} to 100, with three decimals at most, like 99.5.`;
  if (target === null) return { ok: false, field: "target", message: wanted };
  if (floor === null) return { ok: false, field: "floor", message: wanted };
  if (floor > target) return { ok: false, field: "floor", message: "Must not be above the target." };
  return { ok: true, goal: { target, floor } };
}
