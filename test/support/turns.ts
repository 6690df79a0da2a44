/** Turns of the event loop that always have time: what is tested does not depend on the speed of the machine. */
export const endlessTurns = {
  isOver: () => false,
  next: async () => {},
  run: <Result>(work: () => Result | Promise<Result>) => work(),
}

/** Turns that have no time: what has to wait goes on when the test calls the functions in `waiting`. */
export function scriptedTurns() {
  const waiting: (() => void)[] = []
  const next = () => new Promise<void>(resolve => waiting.push(resolve))
  return { waiting, run: <Result>(work: () => Result | Promise<Result>) => next().then(work) }
}
