/** A function that calls `create` when it is first called, and returns that same value ever after. */
export function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}
