/** The first byte that the host may use: everything below belongs to the module itself. */
export const start: usize = __heap_base
