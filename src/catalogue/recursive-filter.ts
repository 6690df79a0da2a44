/** Numbers of state of a recursive filter: coefficients and last values (assembly/parts/averages/recursive-filter.ts). */
export const filterState = 13
