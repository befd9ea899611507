/**
 * The number that would be at `index` if the list were sorted in ascending order. Reorders the list; takes time in
 * proportion to its length, where sorting it takes ten times as long.
 */
export function selectNth(values: Float64Array, index: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    // Of first, middle and last the one in between, so that sorted lists are no worse than others.
    const pivot = medianOf(values[low] as number, values[(low + high) >>> 1] as number, values[high] as number);
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const swapped = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = swapped;
    }
    if (index <= right) high = right;
    else if (index >= left) low = left;
    else break;
  }
  return values[index] as number;
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
