/** Turns of the event loop that always have time: what is tested does not depend on the speed of the machine. */
export const endlessTurns = { isOver: () => false, next: async () => {} }
