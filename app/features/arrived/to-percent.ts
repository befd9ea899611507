/** A share in percent. It never rounds a part to 0 % or 100 %. Empty: the part is nothing or all. */
export function toPercent(part: number, total: number): string {
  if (part === 0 || part === total) return "";
  const percent = (part / total) * 100;
  if (percent < 0.1) return "< 0.1 %";
  if (part < total && percent > 99.9) return "> 99.9 %";
  return `${percent < 10 || percent > 99 ? percent.toFixed(1) : Math.round(percent)} %`;
}
