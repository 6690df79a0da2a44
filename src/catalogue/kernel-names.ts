import type { Kernels } from '../../build/kernels.js'
import type { Name } from './index.js'

// Entries and kernels are the same set: otherwise this file does not compile, and the error names the missing ones.
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type KernelOf<N extends string> = N extends `${Digit}${string}` ? `_${N}` : N

type Empty<Missing extends never> = Missing
export type EntriesWithoutKernel = Empty<Exclude<KernelOf<Name>, keyof Kernels>>
export type KernelsWithoutEntry = Empty<Exclude<keyof Kernels, KernelOf<Name>>>
