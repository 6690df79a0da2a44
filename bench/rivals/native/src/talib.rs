//! TA-Lib's own crate.
use crate::candles::{Candles, Outputs, Shape, Work};
use ta_lib::abstract_api::{get_func_handle, get_func_info, for_each_func, InputType, OptInputType, OutputType};
use ta_lib::Core;

pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for_each_func(|info| names.push(format!("{} {}", info.name, info.opt_inputs.len())));
    names
}

pub fn call(candles: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
    let function = get_func_handle(name)?;
    let info = get_func_info(function);
    let options = options.to_vec();
    let core: &'static Core = Box::leak(Box::new(Core::new()));
    // One series is the close; of two, the first is the high and the second the low.
    let series = move |slot: usize| -> &'static [f64] {
        match (info.inputs.len(), info.name, slot) {
            (1, ..) | (_, "OBV", _) => &candles.close,
            (_, _, 0) => &candles.high,
            _ => &candles.low,
        }
    };
    Some(Box::new(move |outputs: &mut Outputs| {
        let mut call = function.new_call(core);
        let Candles { open, high, low, close, volume, .. } = candles;
        for (slot, input) in info.inputs.iter().enumerate() {
            match input.kind {
                InputType::Price => call
                    .set_price_input(slot, Some(open), Some(high), Some(low), Some(close), Some(volume), Some(volume))
                    .map(|_| ()),
                _ => call.set_input(slot, series(slot)).map(|_| ()),
            }
            .expect("an input");
        }
        for (index, option) in options.iter().enumerate() {
            match info.opt_inputs[index].kind {
                OptInputType::RealRange { .. } | OptInputType::RealList { .. } => call.set_opt_input(index, *option).map(|_| ()),
                _ => call.set_opt_input(index, *option as i32).map(|_| ()),
            }
            .expect("an option");
        }
        let Outputs { real, whole, first, shape } = outputs;
        let (mut real, mut whole) = (real.iter_mut(), whole.iter_mut());
        for (index, output) in info.outputs.iter().enumerate() {
            match output.kind {
                OutputType::Real => call.set_output(index, real.next().expect("a column")).map(|_| ()),
                OutputType::Integer => call.set_int_output(index, whole.next().expect("a column")).map(|_| ()),
            }
            .expect("an output");
        }
        let Ok(written) = call.call(0, candles.count - 1) else { return };
        *first = written.beg_idx;
        *shape = match info.outputs[0].kind {
            OutputType::Real => Shape::Real(info.outputs.len()),
            OutputType::Integer => Shape::Whole(info.outputs.len()),
        };
    }))
}

// The stream of a function: opened on all candles, it continues with the first one again.
macro_rules! updates {
    ($core:ident, $c:ident, $o:ident, $handle:ident, $i:ident; $($name:literal => $open:expr, $update:expr;)*) => {
        pub const UPDATES: &[&str] = &[$($name),*];
        pub fn update($c: &'static Candles, name: &str, $o: &[f64]) -> Option<Work> {
            let $core: &'static Core = Box::leak(Box::new(Core::new()));
            match name {
                $($name => {
                    let (mut $handle, ..) = $open.ok()?;
                    Some(Box::new(move |_: &mut Outputs| {
                        for $i in 0..$c.count {
                            std::hint::black_box($update).ok();
                        }
                    }))
                })*
                _ => None,
            }
        }
    };
}

updates! {
    core, c, o, handle, i;
    "sma" => core.sma_open(&c.close, o[0] as i32), handle.update(c.close[i]);
    "ema" => core.ema_open(&c.close, o[0] as i32), handle.update(c.close[i]);
    "rsi" => core.rsi_open(&c.close, o[0] as i32), handle.update(c.close[i]);
    "macd" => core.macd_open(&c.close, o[0] as i32, o[1] as i32, o[2] as i32), handle.update(c.close[i]);
    "atr" => core.atr_open(&c.high, &c.low, &c.close, o[0] as i32), handle.update(c.high[i], c.low[i], c.close[i]);
    "adx" => core.adx_open(&c.high, &c.low, &c.close, o[0] as i32), handle.update(c.high[i], c.low[i], c.close[i]);
    "cci" => core.cci_open(&c.high, &c.low, &c.close, o[0] as i32), handle.update(c.high[i], c.low[i], c.close[i]);
    "willr" => core.willr_open(&c.high, &c.low, &c.close, o[0] as i32), handle.update(c.high[i], c.low[i], c.close[i]);
    "obv" => core.obv_open(&c.close, &c.volume), handle.update(c.close[i], c.volume[i]);
}
