/** Resolves or rejects as the work does. */
export type InTurn = <Result>(work: () => Result | Promise<Result>) => Promise<Result>;

/** Runs work one piece after another, in the order of the calls. Work that fails does not keep the next from its turn. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
