/** Goes on with a value: in this turn of the event loop where it is at hand, else once it is. */
export const whenKnown = <Value, Result>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(goOn) : goOn(value))
