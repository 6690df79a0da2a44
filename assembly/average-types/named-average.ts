import { Column, Frame } from '../frame'
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
import { Filter } from '../parts/averages/recursive-filter'

// The averages that are chosen by name, as src/catalogue/average.ts numbers them; those from ALMA to VPWMA keep one
// weight per value.
const SMMA = 9
const ALMA = 10
const FWMA = 11
const SINWMA = 12
const PWMA = 13
const CWMA = 14
const SQWMA = 15
const SRWMA = 16
const HANNMA = 17
const VPWMA = 18
const JSA = 19
const DWMA = 20
const ZLSMA = 21
const MCNICHOLLMA = 22
const HMA = 23
const EHMA = 24
const ZLEMA = 25
const LINEARREG = 26
const JMA = 27
const HOLT = 28
const CORAL = 29
const GAUSSIANFILTER = 30
const AHRENSMA = 31
const NATURALMA = 32
const MAAQ = 33
const SUPERSMOOTHER = 34
const SUPERSMOOTHER3 = 35
const ULTIMATESMOOTHER = 36
const BUTTERWORTH2 = 37
const BUTTERWORTH3 = 38

/** Values that the average `type` needs before its first one; src/catalogue/average.ts has the same. */
export function namedLookback(type: i32, period: i32): i32 {
  if (type === JSA || type === NATURALMA || type === MAAQ) return period
  if (type === DWMA || type === ZLSMA || type === MCNICHOLLMA) return 2 * (period - 1)
  if (type === HMA || type === EHMA) return period + <i32>sqrt(<f64>period) - 2
  if (type === ZLEMA) return max(((period - 1) >> 1) - 1, 0)
  return period - 1
}

/** Numbers of state of the average `type`; src/catalogue/average.ts has the same. */
export function namedState(type: i32, period: i32): i32 {
  if (type >= SUPERSMOOTHER) return Filter.size
  if ((type >= ALMA && type <= VPWMA) || type === AHRENSMA) return period
  if (type === NATURALMA) return 1 + period
  if (type === JMA || type === CORAL) return 6
  if (type === GAUSSIANFILTER) return 5
  if (type === EHMA) return 3
  if (type === MCNICHOLLMA || type === ZLEMA || type === HOLT) return 2
  if (type === SMMA || type === MAAQ) return 1
  return 0
}

/**
 * The moving average of the kernel `type` over `period` values of `x`, which has values from `start` on, with the defaults
 * of its other parameters: the kernel is called as if candle `start` were the first one. Three scratch columns of `frame`
 * from `scratch` on are used. The kernel is given the same frame with other arguments; the caller's are put back.
 */
export function namedAverage(
  type: i32,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  frame: Frame,
  scratch: i32,
): void {
  for (let i = from, end = min(to, start); i < end; i++) out[i] = NaN
  if (to <= start) return
  const ownInput = frame.input(0)
  const ownOutput = frame.output(0)
  const ownState = frame.state
  const first = frame.scratch(0)
  const second = frame.scratch(1)
  const third = frame.scratch(2)
  const ownPeriod = frame.number(0)
  const ownSecond = frame.number(1)
  const ownThird = frame.number(2)

  frame.setInput(0, x.from(start))
  frame.setOutput(0, out.from(start))
  frame.setState(state)
  // In ascending order, so that none is overwritten before it is read.
  for (let k = 0; k < 3; k++) frame.setScratch(k, frame.scratch(scratch + k))
  frame.setNumber(0, <f64>period)
  callKernel(type, frame, max(from - start, 0), to - start)

  frame.setInput(0, ownInput)
  frame.setOutput(0, ownOutput)
  frame.setState(ownState)
  frame.setScratch(0, first)
  frame.setScratch(1, second)
  frame.setScratch(2, third)
  frame.setNumber(0, ownPeriod)
  frame.setNumber(1, ownSecond)
  frame.setNumber(2, ownThird)
}

/** Calls the kernel of an average with the defaults of its parameters beside the period. */
function callKernel(type: i32, frame: Frame, from: i32, to: i32): void {
  switch (type) {
    case SMMA:
      smma(frame, from, to)
      break
    case ALMA:
      frame.setNumber(1, 0.85)
      frame.setNumber(2, 6)
      alma(frame, from, to)
      break
    case FWMA:
      fwma(frame, from, to)
      break
    case SINWMA:
      sinwma(frame, from, to)
      break
    case PWMA:
      pwma(frame, from, to)
      break
    case CWMA:
      cwma(frame, from, to)
      break
    case SQWMA:
      sqwma(frame, from, to)
      break
    case SRWMA:
      srwma(frame, from, to)
      break
    case HANNMA:
      hannma(frame, from, to)
      break
    case VPWMA:
      frame.setNumber(1, 0.382)
      vpwma(frame, from, to)
      break
    case JSA:
      jsa(frame, from, to)
      break
    case DWMA:
      dwma(frame, from, to)
      break
    case ZLSMA:
      zlsma(frame, from, to)
      break
    case MCNICHOLLMA:
      mcnichollma(frame, from, to)
      break
    case HMA:
      hma(frame, from, to)
      break
    case EHMA:
      ehma(frame, from, to)
      break
    default:
      callRecursiveKernel(type, frame, from, to)
      break
  }
}

function callRecursiveKernel(type: i32, frame: Frame, from: i32, to: i32): void {
  switch (type) {
    case ZLEMA:
      zlema(frame, from, to)
      break
    case LINEARREG:
      linearreg(frame, from, to)
      break
    case JMA:
      frame.setNumber(1, 50)
      frame.setNumber(2, 2)
      jma(frame, from, to)
      break
    case HOLT:
      frame.setNumber(1, 0)
      holt(frame, from, to)
      break
    case CORAL:
      frame.setNumber(1, 0.4)
      coral(frame, from, to)
      break
    case GAUSSIANFILTER:
      frame.setNumber(1, 4)
      gaussianfilter(frame, from, to)
      break
    case AHRENSMA:
      ahrensma(frame, from, to)
      break
    case NATURALMA:
      naturalma(frame, from, to)
      break
    case MAAQ:
      frame.setNumber(1, 2)
      frame.setNumber(2, 30)
      maaq(frame, from, to)
      break
    case SUPERSMOOTHER:
      supersmoother(frame, from, to)
      break
    case SUPERSMOOTHER3:
      supersmoother3(frame, from, to)
      break
    case ULTIMATESMOOTHER:
      ultimatesmoother(frame, from, to)
      break
    case BUTTERWORTH2:
      butterworth2(frame, from, to)
      break
    case BUTTERWORTH3:
      butterworth3(frame, from, to)
      break
  }
}
