// Computes an RSI with the kernels of Candela: go run . ../../build < closes.json
// See docs/kernels.md for the memory of a call.
package main

import (
	"context"
	"encoding/json"
	"math"
	"os"

	"github.com/tetratelabs/wazero"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx, folder := context.Background(), os.Args[1]
	var closes []float64
	must(0, json.NewDecoder(os.Stdin).Decode(&closes))
	var definitions map[string]struct {
		Params         []float64
		State, Columns uint32
	}
	must(0, json.Unmarshal(must(os.ReadFile(folder+"/definitions.json")), &definitions))
	rsi := definitions["rsi"]
	kernels := must(wazero.NewRuntime(ctx).Instantiate(ctx, must(os.ReadFile(folder+"/kernels.wasm"))))
	memory := kernels.Memory()

	column := 8 * uint32(len(closes)+1)
	frame := (uint32(kernels.ExportedGlobal("start").Get()) + 63) &^ 63
	input := frame + 384
	output := input + column
	state := output + column*rsi.Columns
	memory.Grow((state + 8*rsi.State) >> 16)
	memory.WriteUint32Le(frame, input)
	memory.WriteUint32Le(frame+32, output)
	memory.WriteUint32Le(frame+128, state)
	for i, value := range rsi.Params {
		memory.WriteFloat64Le(frame+136+8*uint32(i), value)
	}
	for i, value := range closes {
		memory.WriteFloat64Le(input+8*uint32(i), value)
	}
	must(kernels.ExportedFunction("rsi").Call(ctx, uint64(frame), 0, uint64(len(closes))))

	values := make([]any, len(closes))
	for i := range values {
		if value, _ := memory.ReadFloat64Le(output + 8*uint32(i)); !math.IsNaN(value) {
			values[i] = value
		}
	}
	must(0, json.NewEncoder(os.Stdout).Encode(values))
}
