/** Calls `goOn` with the value, synchronously if the value is not a promise. */
export const whenKnown = <Value, Result>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(goOn) : goOn(value))
