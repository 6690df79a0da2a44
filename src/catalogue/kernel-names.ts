import type { Kernels } from '../../build/kernels.js'
import type { Name } from './index.js'

// Entries and kernels are the same set, or this file does not compile and the error names the odd ones out.
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type KernelOf<N extends string> = N extends `${Digit}${string}` ? `_${N}` : N

type Nothing<Odd extends never> = Odd
export type EntriesWithoutKernel = Nothing<Exclude<KernelOf<Name>, keyof Kernels>>
export type KernelsWithoutEntry = Nothing<Exclude<keyof Kernels, KernelOf<Name>>>
