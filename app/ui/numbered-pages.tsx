import { useLocation } from "react-router";
import { Pagination } from "./pagination.tsx";

/** Links to the page before and after, by `?page=`, which keep the rest of the address. Nothing where there is one page alone. */
export function NumberedPages({ page, pageCount, total }: { page: number; pageCount: number; total: number }) {
  const { pathname, search } = useLocation();
  if (pageCount <= 1) return null;
  const toPath = (number: number) => {
    const params = new URLSearchParams(search);
    if (number > 1) params.set("page", String(number));
    else params.delete("page");
    return `${pathname}${params.size > 0 ? `?${params}` : ""}`;
  };
  return (
    <Pagination previousTo={page > 1 ? toPath(page - 1) : null} nextTo={page < pageCount ? toPath(page + 1) : null}>
      Page {page.toLocaleString("en")} of {pageCount.toLocaleString("en")}, {total.toLocaleString("en")} in all
    </Pagination>
  );
}
