import { Frame } from '../../frame'
import { returnsOf } from '../../parts/numbers/returns'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Value at Risk, the parametric one: the return that a candle stays below with a probability of 1 − `confidence`, if
 * returns are normally distributed with the mean and the standard deviation of the last `period`. A fraction, mostly
 * negative.
 * The deviation of a sample. Lean begins one candle earlier.
 * Source: Lean ValueAtRisk.
 */
export function valueatrisk(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = <f64>period
  const width = normalQuantile(1 - frame.number(1)) * sqrt(size / (size - 1))
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const returns = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-first)
  returnsOf(frame.input(0), returns, oldest, to)
  deviation(returns, 1, means, out, first, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) out[i] = means[i] + width * out[i]
}

/**
 * Quantile of the standard normal distribution for the given probability, to double precision.
 * Source: Wichura, Algorithm AS 241, The Percentage Points of the Normal Distribution (1988), PPND16.
 */
function normalQuantile(probability: f64): f64 {
  const distance = probability - 0.5
  if (abs(distance) <= 0.425) return distance * central(0.180625 - distance * distance)
  const tail = sqrt(-Math.log(min(probability, 1 - probability)))
  const value = tail <= 5 ? middle(tail - 1.6) : outer(tail - 5)
  return copysign(value, distance)
}

function central(r: f64): f64 {
  let over: f64 = 2509.0809287301226727
  over = over * r + 33430.575583588128105
  over = over * r + 67265.770927008700853
  over = over * r + 45921.953931549871457
  over = over * r + 13731.693765509461125
  over = over * r + 1971.5909503065514427
  over = over * r + 133.14166789178437745
  over = over * r + 3.387132872796366608
  let under: f64 = 5226.495278852854561
  under = under * r + 28729.085735721942674
  under = under * r + 39307.89580009271061
  under = under * r + 21213.794301586595867
  under = under * r + 5394.1960214247511077
  under = under * r + 687.1870074920579083
  under = under * r + 42.313330701600911252
  under = under * r + 1
  return over / under
}

function middle(r: f64): f64 {
  let over: f64 = 7.7454501427834140764e-4
  over = over * r + 0.0227238449892691845833
  over = over * r + 0.24178072517745061177
  over = over * r + 1.27045825245236838258
  over = over * r + 3.64784832476320460504
  over = over * r + 5.7694972214606914055
  over = over * r + 4.6303378461565452959
  over = over * r + 1.42343711074968357734
  let under: f64 = 1.05075007164441684324e-9
  under = under * r + 5.475938084995344946e-4
  under = under * r + 0.0151986665636164571966
  under = under * r + 0.14810397642748007459
  under = under * r + 0.68976733498510000455
  under = under * r + 1.6763848301838038494
  under = under * r + 2.05319162663775882187
  under = under * r + 1
  return over / under
}

function outer(r: f64): f64 {
  let over: f64 = 2.01033439929228813265e-7
  over = over * r + 2.71155556874348757815e-5
  over = over * r + 1.2426609473880784386e-3
  over = over * r + 0.026532189526576123093
  over = over * r + 0.29656057182850489123
  over = over * r + 1.7848265399172913358
  over = over * r + 5.4637849111641143699
  over = over * r + 6.6579046435011037772
  let under: f64 = 2.04426310338993978564e-15
  under = under * r + 1.4215117583164458887e-7
  under = under * r + 1.8463183175100546818e-5
  under = under * r + 7.868691311456132591e-4
  under = under * r + 0.0148753612908506148525
  under = under * r + 0.13692988092273580531
  under = under * r + 0.59983220655588793769
  under = under * r + 1
  return over / under
}
