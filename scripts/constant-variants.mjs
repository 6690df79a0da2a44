// A transform of the AssemblyScript compiler: constants reach the code that depends on them before the compiler looks for
// duplicate code. A method that is inlined for a period of 3 and for one of 4 is at first the same code with another
// constant. Binaryen joined both to one loop that tests the constant at each candle
// (docs/adr/0043-kernels-without-branches-on-prices.md).
import { Transform } from 'assemblyscript/transform'

export default class ConstantVariants extends Transform {
  afterCompile(module) {
    module.runPasses(['precompute-propagate', 'vacuum'])
  }
}
