import { Form, useSubmit } from "react-router";
import { ROLES } from "../../domain/people/roles.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { ROLE_WORDS } from "./access-words.ts";
import type { MemberFilters, MemberList } from "./list-members.server.ts";

/** Filters for name, role and team. Also for removed members, if there are any. */
export function MemberFilter({ filters, list }: { filters: MemberFilters; list: MemberList }) {
  const submit = useSubmit();
  return (
    <Form
      role="search"
      className="flex flex-wrap items-center gap-2"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget, { replace: true });
      }}
    >
      <SearchInput label="Search members" placeholder="Part of a name or an address" text={filters.text} />
      <Select name="role" aria-label="Role" defaultValue={filters.role ?? ""} className="w-auto!">
        <option value="">All roles</option>
        {toOptions(ROLES, (role) => [role, ROLE_WORDS[role].label])}
      </Select>
      {list.teams.length > 0 && (
        <Select name="team" aria-label="Team" defaultValue={filters.team} className="w-auto! max-w-44">
          <option value="">All teams</option>
          {toOptions(list.teams, ({ slug, name }) => [slug, name])}
        </Select>
      )}
      {(list.removedCount > 0 || filters.isRemoved) && (
        <Select name="show" aria-label="Show" defaultValue={filters.isRemoved ? "removed" : ""} className="w-auto!">
          <option value="">Members</option>
          <option value="removed">Former members</option>
        </Select>
      )}
      <Button type="submit">Search</Button>
    </Form>
  );
}
