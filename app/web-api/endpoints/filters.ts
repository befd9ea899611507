import { z } from "zod";
import { BUILT_IN_FILTERS, type BuiltInFilter } from "../../domain/filters/filter-reason.ts";
import type { FilterSettings } from "../../domain/filters/filter-settings.ts";
import { LEGACY_BROWSERS } from "../../domain/filters/legacy-browsers.ts";
import { changeBuiltInFilter } from "../../features/filters/change-filters.server.ts";
import { getFiltersPage } from "../../features/filters/get-filters-page.server.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const filterAnswer = z.object({
  id: z.enum(BUILT_IN_FILTERS),
  active: z
    .union([z.boolean(), z.array(z.enum(LEGACY_BROWSERS))])
    .describe("the old browsers that are left out, by name"),
  filteredLastDay: z.int().describe("events that the filter took in the last 24 hours"),
});

const filterChange = z.object({
  active: z.boolean().optional(),
  subfilters: z
    .array(z.enum(LEGACY_BROWSERS))
    .max(LEGACY_BROWSERS.length)
    .optional()
    .describe("for legacy-browsers: all that are to be left out"),
});

const FILTERS = "/projects/{organization}/{project}/filters/";

export const FILTER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: FILTERS,
    scopes: ["project:read"],
    summary: "The filters that every project has, and whether they are on. The project's options have its lists.",
    answers: { 200: { what: "Filters", json: z.array(filterAnswer) } },
    async handle({ workspace, project, now }) {
      const page = await getFiltersPage(workspace, project, now);
      if (page === null) throw refusal(404, "The requested project does not exist");
      return answer(
        BUILT_IN_FILTERS.map((id) => ({
          id,
          active: activeOf(page.filters, id),
          filteredLastDay: page.uses[id]?.lastDay ?? 0,
        })),
      );
    },
  }),
  endpoint({
    method: "PUT",
    path: `${FILTERS}{filter}/`,
    scopes: ["project:write"],
    summary: "Switches a filter. For legacy-browsers, subfilters names the browsers; active stands for all or none.",
    body: { json: filterChange },
    answers: { 204: { what: "Changed", json: null } },
    async handle({ workspace, project, params, body }) {
      const filter = BUILT_IN_FILTERS.find((id) => id === params.filter);
      if (filter === undefined)
        throw refusal(404, `The requested filter does not exist. There are ${BUILT_IN_FILTERS.join(", ")}.`);
      const value =
        filter === "legacy-browsers" ? (body.subfilters ?? (body.active ? LEGACY_BROWSERS : [])) : body.active;
      if (value === undefined || (body.active === undefined && body.subfilters === undefined))
        throw refusal(400, "active: is required");
      const changed = await changeBuiltInFilter(workspace, project, filter, value);
      if (!changed.ok) throw refusal(changed.status, changed.message);
      return nothing();
    },
  }),
];

function activeOf(filters: FilterSettings, id: BuiltInFilter): z.input<typeof filterAnswer>["active"] {
  switch (id) {
    case "browser-extensions":
      return filters.browserExtensions;
    case "web-crawlers":
      return filters.webCrawlers;
    case "localhost":
      return filters.localhost;
    case "legacy-browsers":
      return filters.legacyBrowsers.length === 0 ? false : [...filters.legacyBrowsers];
  }
}
