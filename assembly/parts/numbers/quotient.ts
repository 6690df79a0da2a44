/** a / b in both lanes; `otherwise` where b is 0. */
export function quotients(a: v128, b: v128, otherwise: f64 = NaN): v128 {
  return v128.bitselect(f64x2.splat(otherwise), f64x2.div(a, b), f64x2.eq(b, f64x2.splat(0)))
}
