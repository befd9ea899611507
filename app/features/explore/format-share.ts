/** A part of all in percent. What is there is not 0 %. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`;
}
