import { averageKeeps, averageLookback, averageState } from '../average.js'
import {
  type AverageType,
  indicator,
  integer,
  maType,
  type Numbers,
  period,
  startingAfter,
} from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential, wilder } from '../fading.js'

/** Numbers of state of the six averages of a ribbon. */
const ribbonState = (p: { readonly period: number; readonly step: number; readonly maType: AverageType }) =>
  [0, 1, 2, 3, 4, 5].reduce((total, k) => total + averageState(p.maType, p.period + k * p.step), 0)

/** The averages of the rainbow, each a smoothing of the one before. */
const rainbowLines = [
  'value1',
  'value2',
  'value3',
  'value4',
  'value5',
  'value6',
  'value7',
  'value8',
  'value9',
  'value10',
] as const

export const ribbons = {
  gmma: indicator({
    title: 'Guppy Multiple Moving Average',
    description:
      'Twelve exponential averages in a short and a long group, for traders and for investors. A wide long group shows a firm trend, and the short group compressing against it an entry. Twelve lines of the same price repeat each other.',
    related: ['maribbon', 'rainbow', 'ema'],
    inputs: ['close'],
    outputs: [
      'short1',
      'short2',
      'short3',
      'short4',
      'short5',
      'short6',
      'long1',
      'long2',
      'long3',
      'long4',
      'long5',
      'long6',
    ],
    lookback: 59,
    state: 12 * exponentialState,
    memory: { fading: () => [exponential(60)] },
    overlay: true,
    drawing: [
      { kind: 'line', outputs: ['short1', 'short2', 'short3', 'short4', 'short5', 'short6'], colour: 1 },
      { kind: 'line', outputs: ['long1', 'long2', 'long3', 'long4', 'long5', 'long6'], colour: 2 },
    ],
  }),
  rainbow: indicator({
    title: 'Rainbow Moving Averages',
    description:
      'Ten averages, each a smoothing of the one before. The order and the width of the band show the age of a trend. The slowest lines lag far behind.',
    related: ['rainbowoscillator', 'gmma'],
    namesElsewhere: { pandasta: 'rainbow' },
    inputs: ['close'],
    params: { period: period(2, 2, 90) },
    outputs: rainbowLines,
    lookback: p => 10 * (p.period - 1),
    scratch: 3,
    memory: 'finite',
    overlay: true,
    drawing: [
      {
        kind: 'line',
        outputs: rainbowLines,
        colour: 1,
      },
    ],
  }),
  rainbowoscillator: indicator({
    title: 'Rainbow Oscillator',
    description:
      "The distance of the price from the mean of ten nested averages, as a share of the range, with bands for the width of the rainbow. Wide bands warn of a turn. It follows the rainbow's lag.",
    related: ['rainbow', 'ppo'],
    tier: 2,
    namesElsewhere: { pandasta: 'rainbow' },
    inputs: ['close'],
    params: { period: period(2, 2, 90), lookback: period(10) },
    outputs: ['value', 'upper', 'lower'],
    lookback: p => Math.max(10 * (p.period - 1), p.lookback - 1),
    scratch: 3,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['value'], colouring: 'sign' },
      { kind: 'area', outputs: ['upper', 'lower'], colour: 1 },
      { kind: 'line', outputs: ['upper', 'lower'], colour: 1 },
    ],
  }),
  maribbon: indicator({
    title: 'Moving Average Ribbon',
    description:
      'Six averages of one kind with growing lengths. Fanned out they show a trend, crossed a change or a range. It shows nothing that two of the lines would not.',
    related: ['gmma', 'rainbow', 'ma'],
    tier: 2,
    otherNames: ['Madrid ribbon', 'MMAR'],
    namesElsewhere: { pandasta: 'mmar' },
    inputs: ['close'],
    params: { period: period(10, 2, 200), step: integer(5, 1, 40), maType: maType(1) },
    outputs: ['value1', 'value2', 'value3', 'value4', 'value5', 'value6'],
    lookback: p => averageLookback(p.maType, p.period + 5 * p.step),
    state: ribbonState,
    scratch: 3,
    work: p => (p.maType === 'naturalma' ? 0.9 * (6 * p.period + 15 * p.step) : 0),
    memory: { fading: p => averageKeeps(p.maType, p.period + 5 * p.step) },
    overlay: true,
    drawing: [
      { kind: 'line', outputs: ['value1', 'value2', 'value3', 'value4', 'value5', 'value6'], colour: 1 },
    ],
  }),
  williamsalligator: indicator({
    title: 'Williams Alligator',
    description:
      'Three smoothed averages of the middle price, shifted ahead: jaw, teeth and lips. Apart and in order they show a trend, entwined a sleeping market. The shift makes the picture clear and late.',
    related: ['gator', 'smma', 'ao', 'fractals'],
    namesElsewhere: { skender: 'ALLIGATOR', ta4j: 'Alligator', taapi: 'williamsalligator' },
    inputs: ['high', 'low'],
    params: {
      jawsLength: period(13, 1),
      teethLength: period(8, 1),
      lipsLength: period(5, 1),
      jawsOffset: integer(8, 0, 500),
      teethOffset: integer(5, 0, 500),
      lipsOffset: integer(3, 0, 500),
    },
    outputs: [
      startingAfter(
        (p: Numbers<'jawsLength' | 'jawsOffset'>) => p.jawsLength - 1 + p.jawsOffset,
        'valueJaws',
      ),
      startingAfter(
        (p: Numbers<'teethLength' | 'teethOffset'>) => p.teethLength - 1 + p.teethOffset,
        'valueTeeth',
      ),
      startingAfter(
        (p: Numbers<'lipsLength' | 'lipsOffset'>) => p.lipsLength - 1 + p.lipsOffset,
        'valueLips',
      ),
    ],
    lookback: p =>
      Math.max(
        p.jawsLength - 1 + p.jawsOffset,
        p.teethLength - 1 + p.teethOffset,
        p.lipsLength - 1 + p.lipsOffset,
      ),
    state: 3 * exponentialState,
    scratch: 1,
    memory: { fading: p => [wilder(Math.max(p.jawsLength, p.teethLength, p.lipsLength))] },
    overlay: true,
  }),
  gator: indicator({
    title: 'Gator Oscillator',
    description:
      'The distances between the lines of the Alligator, as two histograms. Both distances growing show a trend (the Alligator eats), both shrinking its end (it is sated). It adds no information to the lines.',
    related: ['williamsalligator'],
    namesElsewhere: { skender: 'GATOR', ta4j: 'GatorOscillator' },
    inputs: ['high', 'low'],
    params: {
      jawPeriod: period(13, 1, 300),
      jawOffset: period(8, 0, 300),
      teethPeriod: period(8, 1, 300),
      teethOffset: period(5, 0, 300),
      lipsPeriod: period(5, 1, 300),
      lipsOffset: period(3, 0, 300),
    },
    outputs: ['upper', 'lower', 'upperExpanding', 'lowerExpanding'],
    degree: { upper: [1, 0], lower: [1, 0] },
    lookback: p =>
      Math.max(p.jawPeriod + p.jawOffset, p.teethPeriod + p.teethOffset, p.lipsPeriod + p.lipsOffset),
    state: 3 * exponentialState + 2,
    scratch: 4,
    memory: { fading: p => [wilder(Math.max(p.jawPeriod, p.teethPeriod, p.lipsPeriod))] },
    scale: { levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['upper'], colouredBy: 'upperExpanding' },
      { kind: 'histogram', outputs: ['lower'], colouredBy: 'lowerExpanding' },
    ],
  }),
}
