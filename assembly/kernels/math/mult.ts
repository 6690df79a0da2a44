import { Frame } from '../../frame'
import { mul } from './mul'

/**
 * Vector Arithmetic Mult: the product of two values.
 * The values are high and low by default.
 * Source: TA-Lib 0.6 MULT.
 */
export function mult(frame: Frame, from: i32, to: i32): void {
  mul(frame, from, to)
}
