import { useMemo } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * The search parameters that the page is about to have: those of a navigation within it that has not ended, or those of the address.
 * Links that change them keep what was pressed while the server answers.
 */
export function useComingParams(): URLSearchParams {
  const here = useLocation();
  const going = useNavigation().location;
  const { search } = going?.pathname === here.pathname ? going : here;
  return useMemo(() => new URLSearchParams(search), [search]);
}
