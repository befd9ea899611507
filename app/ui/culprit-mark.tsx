/** The sign of Culprit: a stack of lines, one of them marked. */
export function CulpritMark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} role="img" aria-label="Culprit">
      <rect width="32" height="32" rx="7" className="fill-[#171a17]" />
      <path d="M7 8.5h11M7 23.5h8" stroke="#8b918b" strokeWidth="2.6" />
      <path d="M5 12.4h22v7.2H5z" className="fill-[#c9f03f]" />
      <path d="M8.5 16h13" stroke="#171a17" strokeWidth="2.6" />
    </svg>
  );
}
