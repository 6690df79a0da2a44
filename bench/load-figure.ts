import { drawPanels, type Line, type Panel } from './panels.js'

/** Measurements of one phase of the load test. */
export interface PhaseFigure {
  readonly name: string
  /** Latencies in milliseconds, by their names. */
  readonly latencyMs: Readonly<Record<string, number>>
  /** Megabytes of the process, second by second. */
  readonly memoryMib: readonly number[]
  /** Longest time for which the event loop was held, second by second, in milliseconds. */
  readonly loopMs: readonly number[]
}

const bySecond = (values: readonly number[]): Line['points'] => values.map((value, at) => [at, value])

/** Draws latencies, the holds of the event loop and the memory of all phases as an SVG. */
export function drawLoad(phases: readonly PhaseFigure[]): string {
  const names = Object.keys(phases[0]?.latencyMs ?? {})
  const panels: Panel[] = [
    {
      title: 'Latency of an ordinary client, ms (logarithmic)',
      labels: names,
      isLogarithmic: true,
      lines: phases.map(({ name, latencyMs }) => ({
        name,
        points: names.map((key, at) => [at, latencyMs[key] as number]),
      })),
    },
    {
      title: 'Longest hold of the event loop in each second, ms of processor time',
      lines: phases.map(({ name, loopMs }) => ({ name, points: bySecond(loopMs) })),
    },
    {
      title: 'Memory, MiB',
      lines: phases.map(({ name, memoryMib }) => ({ name, points: bySecond(memoryMib) })),
    },
  ]
  return drawPanels(panels)
}
