import { useLocation } from "react-router";
import { Pagination } from "./pagination.tsx";

/** Links to the previous and the next page, by `?page=`. They keep the rest of the address. With a single page there are none. */
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
