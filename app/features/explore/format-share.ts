/** A share in percent. A share above zero is never shown as 0 %. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`;
}
