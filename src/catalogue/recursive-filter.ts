/** Numbers of state of a recursive filter: coefficients and last values (assembly/parts/recursive-filter.ts). */
export const filterState = 13
