// TA-Lib's functions by their names, for the Python programs in the parent folder: a call on each line of standard input,
// its result on a line of standard output. A call is { function, columns, given }: columns of candles by name, and
// parameters by TA-Lib's names. The result is { lookback, outputs }, null before the first value, or { error }. An empty
// object requests the list of functions.

use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};
use ta_lib::Core;
use ta_lib::abstract_api::{self, FuncInfo, InputType, OptInputType, OutputType};

fn default_of(kind: &OptInputType) -> Value {
    match kind {
        OptInputType::RealRange { default, .. } | OptInputType::RealList { default, .. } => json!(default),
        OptInputType::IntegerRange { default, .. } => json!(default),
        OptInputType::IntegerList { default, .. } => json!(default),
    }
}

fn functions() -> Value {
    let mut list = Map::new();
    for info in abstract_api::funcs() {
        let parameters: Map<String, Value> =
            info.opt_inputs.iter().map(|each| (each.param_name.into(), default_of(&each.kind))).collect();
        let inputs: Vec<&str> = info.inputs.iter().map(|each| each.param_name).collect();
        let outputs: Vec<&str> = info.outputs.iter().map(|each| each.param_name).collect();
        list.insert(info.name.into(), json!({ "parameters": parameters, "inputs": inputs, "outputs": outputs }));
    }
    Value::Object(list)
}

fn column(columns: &Value, name: &str) -> Option<Vec<f64>> {
    columns.get(name)?.as_array().map(|values| values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect())
}

// The columns that a function of single series reads: the one of its name, or the close, or the high and the low.
fn series_of(info: &FuncInfo, slot: usize, columns: &Value) -> Vec<f64> {
    let name = info.inputs[slot].param_name;
    let several = info.inputs.iter().filter(|each| each.kind == InputType::Real).count() > 1;
    let fallback = match (several && name.ends_with(['0', '1']), name.ends_with('0')) {
        (false, _) => "close",
        (true, true) => "high",
        (true, false) => "low",
    };
    column(columns, name).or_else(|| column(columns, fallback)).unwrap_or_default()
}

fn compute(call: &Value) -> Result<Value, String> {
    let id = abstract_api::get_func_handle(call["function"].as_str().unwrap_or("")).ok_or("no such function")?;
    let info = id.info();
    let core = Core::new();
    let columns = &call["columns"];
    let prices: Vec<Vec<f64>> =
        ["open", "high", "low", "close", "volume"].iter().map(|name| column(columns, name).unwrap_or_default()).collect();
    let length = prices[3].len();
    let series: Vec<Vec<f64>> = (0..info.inputs.len()).map(|slot| series_of(info, slot, columns)).collect();
    let mut reals: Vec<Vec<f64>> = info.outputs.iter().map(|_| vec![0.0; length]).collect();
    let mut integers: Vec<Vec<i32>> = info.outputs.iter().map(|_| vec![0; length]).collect();
    let (range, lookback) = {
        let mut holder = id.new_call(&core);
        let failed = |error| format!("{error:?}");
        for (slot, input) in info.inputs.iter().enumerate() {
            if input.kind == InputType::Price {
                let [open, high, low, close, volume] = [0, 1, 2, 3, 4].map(|k| Some(prices[k].as_slice()));
                holder.set_price_input(slot, open, high, low, close, volume, None).map_err(failed)?;
            } else {
                holder.set_input(slot, &series[slot]).map_err(failed)?;
            }
        }
        for (slot, option) in info.opt_inputs.iter().enumerate() {
            let Some(value) = call["given"].get(option.param_name).and_then(Value::as_f64) else { continue };
            match option.kind {
                OptInputType::RealRange { .. } | OptInputType::RealList { .. } => holder.set_opt_input(slot, value),
                _ => holder.set_opt_input(slot, value as i32),
            }
            .map_err(failed)?;
        }
        for (slot, (real, integer)) in reals.iter_mut().zip(integers.iter_mut()).enumerate() {
            match info.outputs[slot].kind {
                OutputType::Real => holder.set_output(slot, real),
                OutputType::Integer => holder.set_int_output(slot, integer),
            }
            .map_err(failed)?;
        }
        let lookback = holder.lookback().map_err(failed)?;
        (holder.call(0, length.max(1) - 1).map_err(failed)?, lookback)
    };
    let outputs: Vec<Vec<Option<f64>>> = info
        .outputs
        .iter()
        .enumerate()
        .map(|(slot, output)| {
            let value = |i: usize| if output.kind == OutputType::Real { reals[slot][i] } else { f64::from(integers[slot][i]) };
            let inside = |i: usize| i >= range.beg_idx && i < range.beg_idx + range.count;
            (0..length).map(|i| inside(i).then(|| value(i - range.beg_idx)).filter(|x| x.is_finite())).collect()
        })
        .collect();
    Ok(json!({ "lookback": lookback, "outputs": outputs }))
}

fn main() {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let call: Value = serde_json::from_str(&line.expect("a line")).expect("a call as JSON");
        let answer =
            if call.get("function").is_none() { functions() } else { compute(&call).unwrap_or_else(|error| json!({ "error": error })) };
        writeln!(out, "{answer}").expect("an open pipe");
        out.flush().expect("an open pipe");
    }
}
