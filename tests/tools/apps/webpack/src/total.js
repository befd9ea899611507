/** What is to be paid, after the discount. */
export function totalOf(cart) {
  const sum = cart.prices.reduce((left, right) => left + right, 0);
  if (!cart.discount) throw new RangeError(`no discount on ${sum}`);
  return sum - cart.discount.amount;
}
