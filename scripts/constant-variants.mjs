// A transform of the AssemblyScript compiler: constants reach the code that depends on them before the compiler looks for code that
// stands twice. A method that is inlined for a period of 3 and for one of 4 is the same code beside another constant at first; Binaryen
// joined both to one loop that asks at each candle which of them it is (docs/adr/0043-kernels-without-branches-on-prices.md).
import { Transform } from 'assemblyscript/transform'

export default class ConstantVariants extends Transform {
  afterCompile(module) {
    module.runPasses(['precompute-propagate', 'vacuum'])
  }
}
