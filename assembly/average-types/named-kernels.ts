// Written by scripts/average-types.mjs.
import { Frame } from '../frame'
import { linearreg } from '../kernels/statistics/linearreg'
import { ahrensma } from '../kernels/trend/ahrensma'
import { alma } from '../kernels/trend/alma'
import { butterworth2 } from '../kernels/trend/butterworth2'
import { butterworth3 } from '../kernels/trend/butterworth3'
import { coral } from '../kernels/trend/coral'
import { cwma } from '../kernels/trend/cwma'
import { dwma } from '../kernels/trend/dwma'
import { ehma } from '../kernels/trend/ehma'
import { fwma } from '../kernels/trend/fwma'
import { gaussianfilter } from '../kernels/trend/gaussianfilter'
import { hannma } from '../kernels/trend/hannma'
import { hma } from '../kernels/trend/hma'
import { holt } from '../kernels/trend/holt'
import { jma } from '../kernels/trend/jma'
import { jsa } from '../kernels/trend/jsa'
import { maaq } from '../kernels/trend/maaq'
import { mcnichollma } from '../kernels/trend/mcnichollma'
import { naturalma } from '../kernels/trend/naturalma'
import { pwma } from '../kernels/trend/pwma'
import { sinwma } from '../kernels/trend/sinwma'
import { smma } from '../kernels/trend/smma'
import { sqwma } from '../kernels/trend/sqwma'
import { srwma } from '../kernels/trend/srwma'
import { supersmoother } from '../kernels/trend/supersmoother'
import { supersmoother3 } from '../kernels/trend/supersmoother3'
import { ultimatesmoother } from '../kernels/trend/ultimatesmoother'
import { vpwma } from '../kernels/trend/vpwma'
import { zlema } from '../kernels/trend/zlema'
import { zlsma } from '../kernels/trend/zlsma'

type Kernel = (frame: Frame, from: i32, to: i32) => void
type Size = (period: f64) => f64

function almaByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 0.85)
  frame.setNumber(2, 6)
  alma(frame, from, to)
}

function coralByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 0.4)
  coral(frame, from, to)
}

function gaussianfilterByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 4)
  gaussianfilter(frame, from, to)
}

function holtByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 0)
  holt(frame, from, to)
}

function jmaByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 50)
  frame.setNumber(2, 2)
  jma(frame, from, to)
}

function maaqByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 2)
  frame.setNumber(2, 30)
  maaq(frame, from, to)
}

function vpwmaByDefault(frame: Frame, from: i32, to: i32): void {
  frame.setNumber(1, 0.382)
  vpwma(frame, from, to)
}

/** The kernels of the averages that are chosen by name, in the order of their numbers. */
export const kernels: StaticArray<Kernel> = [
  ahrensma,
  almaByDefault,
  butterworth2,
  butterworth3,
  coralByDefault,
  cwma,
  dwma,
  ehma,
  fwma,
  gaussianfilterByDefault,
  hannma,
  hma,
  holtByDefault,
  jmaByDefault,
  jsa,
  linearreg,
  maaqByDefault,
  mcnichollma,
  naturalma,
  pwma,
  sinwma,
  smma,
  sqwma,
  srwma,
  supersmoother,
  supersmoother3,
  ultimatesmoother,
  vpwmaByDefault,
  zlema,
  zlsma,
]

/** Values that each average needs before its first one, by the period. */
export const lookbacks: StaticArray<Size> = [
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => 2 * (period - 1),
  (period: f64): f64 => period + Math.round(Math.sqrt(period)) - 2,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period + Math.floor(Math.sqrt(period)) - 2,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period,
  (period: f64): f64 => 2 * (period - 1),
  (period: f64): f64 => period,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => period - 1,
  (period: f64): f64 => Math.max(0, Math.floor((period - 1) / 2) - 1),
  (period: f64): f64 => 2 * (period - 1),
]

/** Size of the state of each average in numbers, by the period. */
export const states: StaticArray<Size> = [
  (period: f64): f64 => period,
  (period: f64): f64 => period,
  (_: f64): f64 => 13,
  (_: f64): f64 => 13,
  (_: f64): f64 => 6,
  (period: f64): f64 => period,
  (_: f64): f64 => 0,
  (_: f64): f64 => 24,
  (period: f64): f64 => period,
  (_: f64): f64 => 5,
  (period: f64): f64 => period,
  (_: f64): f64 => 0,
  (_: f64): f64 => 2,
  (_: f64): f64 => 6,
  (_: f64): f64 => 0,
  (_: f64): f64 => 0,
  (_: f64): f64 => 1,
  (_: f64): f64 => 16,
  (period: f64): f64 => 1 + period,
  (period: f64): f64 => period,
  (period: f64): f64 => period,
  (_: f64): f64 => 8,
  (period: f64): f64 => period,
  (period: f64): f64 => period,
  (_: f64): f64 => 13,
  (_: f64): f64 => 13,
  (_: f64): f64 => 13,
  (period: f64): f64 => period,
  (_: f64): f64 => 9,
  (_: f64): f64 => 0,
]
