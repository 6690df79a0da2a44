// kand: functions over whole columns, which also write intermediate columns.
use crate::candles::{Candles, Outputs, Shape, Work};
use kand::ta::{ohlcv, stats};

/// `$outputs` columns of results, the first of the columns that a function writes.
macro_rules! functions {
    ($c:ident, $o:ident; $($name:literal => $outputs:literal, |$($column:ident),*| $call:expr;)*) => {
        pub const NAMES: &[&str] = &[$($name),*];
        pub fn call($c: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
            let $o = options.to_vec();
            match name {
                $($name => Some(Box::new(move |outputs: &mut Outputs| {
                    let n = $c.count;
                    let mut columns = outputs.real.iter_mut().map(|column| &mut column[..n]);
                    $(let $column = columns.next().expect("a column");)*
                    $call.expect("values");
                    outputs.shape = Shape::Real($outputs);
                })),)*
                _ => None,
            }
        }
    };
}

functions! {
    c, o;
    "ad" => 1, |a| ohlcv::ad::ad(&c.high, &c.low, &c.close, &c.volume, a);
    "adosc" => 1, |a, b, d, e| ohlcv::adosc::adosc(&c.high, &c.low, &c.close, &c.volume, o[0] as usize, o[1] as usize, a, b, d, e);
    "adx" => 1, |a, b, d, e| ohlcv::adx::adx(&c.high, &c.low, &c.close, o[0] as usize, a, b, d, e);
    "adxr" => 1, |a, b, d, e, f| ohlcv::adxr::adxr(&c.high, &c.low, &c.close, o[0] as usize, a, b, d, e, f);
    "atr" => 1, |a| ohlcv::atr::atr(&c.high, &c.low, &c.close, o[0] as usize, a);
    "bbands" => 3, |a, b, d, e, f, g, h| ohlcv::bbands::bbands(&c.close, o[0] as usize, o[1], o[1], a, b, d, e, f, g, h);
    "bop" => 1, |a| ohlcv::bop::bop(&c.open, &c.high, &c.low, &c.close, a);
    "cci" => 1, |a, b, d, e| ohlcv::cci::cci(&c.high, &c.low, &c.close, o[0] as usize, a, b, d, e);
    "dema" => 1, |a, b, d| ohlcv::dema::dema(&c.close, o[0] as usize, a, b, d);
    "dx" => 1, |a, b, d, e| ohlcv::dx::dx(&c.high, &c.low, &c.close, o[0] as usize, a, b, d, e);
    "ema" => 1, |a| ohlcv::ema::ema(&c.close, o[0] as usize, None, a);
    "heikinashi" => 4, |a, b, d, e| ohlcv::ha::ha(&c.open, &c.high, &c.low, &c.close, a, b, d, e);
    "macd" => 3, |a, b, d, e, f| ohlcv::macd::macd(&c.close, o[0] as usize, o[1] as usize, o[2] as usize, a, b, d, e, f);
    "max" => 1, |a| stats::max::max(&c.close, o[0] as usize, a);
    "medprice" => 1, |a| ohlcv::medprice::medprice(&c.high, &c.low, a);
    "mfi" => 1, |a, b, d, e, f| ohlcv::mfi::mfi(&c.high, &c.low, &c.close, &c.volume, o[0] as usize, a, b, d, e, f);
    "midpoint" => 1, |a, b, d| ohlcv::midpoint::midpoint(&c.close, o[0] as usize, a, b, d);
    "midprice" => 1, |a, b, d| ohlcv::midprice::midprice(&c.high, &c.low, o[0] as usize, a, b, d);
    "min" => 1, |a| stats::min::min(&c.close, o[0] as usize, a);
    "minus_di" => 1, |a, b, d| ohlcv::minus_di::minus_di(&c.high, &c.low, &c.close, o[0] as usize, a, b, d);
    "minus_dm" => 1, |a| ohlcv::minus_dm::minus_dm(&c.high, &c.low, o[0] as usize, a);
    "mom" => 1, |a| ohlcv::mom::mom(&c.close, o[0] as usize, a);
    "natr" => 1, |a| ohlcv::natr::natr(&c.high, &c.low, &c.close, o[0] as usize, a);
    "obv" => 1, |a| ohlcv::obv::obv(&c.close, &c.volume, a);
    "plus_di" => 1, |a, b, d| ohlcv::plus_di::plus_di(&c.high, &c.low, &c.close, o[0] as usize, a, b, d);
    "plus_dm" => 1, |a| ohlcv::plus_dm::plus_dm(&c.high, &c.low, o[0] as usize, a);
    "roc" => 1, |a| ohlcv::roc::roc(&c.close, o[0] as usize, a);
    "rocp" => 1, |a| ohlcv::rocp::rocp(&c.close, o[0] as usize, a);
    "rocr" => 1, |a| ohlcv::rocr::rocr(&c.close, o[0] as usize, a);
    "rocr100" => 1, |a| ohlcv::rocr100::rocr100(&c.close, o[0] as usize, a);
    "rsi" => 1, |a, b, d| ohlcv::rsi::rsi(&c.close, o[0] as usize, a, b, d);
    "sma" => 1, |a| ohlcv::sma::sma(&c.close, o[0] as usize, a);
    "stddev" => 1, |a, b, d| stats::stddev::stddev(&c.close, o[0] as usize, a, b, d);
    "sum" => 1, |a| stats::sum::sum(&c.close, o[0] as usize, a);
    "t3" => 1, |a, b, d, e, f, g, h| ohlcv::t3::t3(&c.close, o[0] as usize, o[1], a, b, d, e, f, g, h);
    "tema" => 1, |a, b, d, e| ohlcv::tema::tema(&c.close, o[0] as usize, a, b, d, e);
    "trange" => 1, |a| ohlcv::trange::trange(&c.high, &c.low, &c.close, a);
    "trix" => 1, |a, b, d, e| ohlcv::trix::trix(&c.close, o[0] as usize, a, b, d, e);
    "typprice" => 1, |a| ohlcv::typprice::typprice(&c.high, &c.low, &c.close, a);
    "var" => 1, |a, b, d| stats::var::var(&c.close, o[0] as usize, a, b, d);
    "wclprice" => 1, |a| ohlcv::wclprice::wclprice(&c.high, &c.low, &c.close, a);
    "willr" => 1, |a, b, d| ohlcv::willr::willr(&c.high, &c.low, &c.close, o[0] as usize, a, b, d);
    "wma" => 1, |a| ohlcv::wma::wma(&c.close, o[0] as usize, a);
}
