import { ARRIVED_PERIODS, type ArrivedPeriod } from "../arrived/arrived-range.ts";

export const TOP_ORDERS = [
  { value: "users", label: "By users" },
  { value: "events", label: "By events" },
  { value: "new", label: "New" },
] as const;
export type TopOrder = (typeof TOP_ORDERS)[number]["value"];

/** The filters in the address of a project's overview. */
export interface OverviewFilters {
  period: ArrivedPeriod;
  /** Empty: all environments. */
  environment: string;
  top: TopOrder;
}

const DEFAULTS: OverviewFilters = { period: "14d", environment: "", top: "users" };

/** Never fails: unknown values become the defaults. */
export function parseOverviewFilters(params: URLSearchParams): OverviewFilters {
  return {
    period: ARRIVED_PERIODS.find(({ value }) => value === params.get("period"))?.value ?? DEFAULTS.period,
    environment: params.get("environment")?.slice(0, 64) ?? DEFAULTS.environment,
    top: TOP_ORDERS.find(({ value }) => value === params.get("top"))?.value ?? DEFAULTS.top,
  };
}

/** The search of the address with something changed, without defaults. */
export function toOverviewSearch(filters: OverviewFilters, change: Partial<OverviewFilters> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...change }))
    if (value !== DEFAULTS[name as keyof OverviewFilters]) params.set(name, value);
  return `?${params}`;
}
