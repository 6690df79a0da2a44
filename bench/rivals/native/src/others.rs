//! yata and ta: libraries that take one candle after another.
use crate::candles::{Candles, Outputs, Shape, Work};
use ta::Next;
use yata::core::Method;

macro_rules! by_candle {
    ($list:ident, $function:ident, $c:ident, $o:ident; $($name:literal => $inputs:ident, $make:expr;)*) => {
        pub const $list: &[&str] = &[$($name),*];
        pub fn $function($c: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
            let $o = options.to_vec();
            match name {
                $($name => Some(Box::new(move |outputs: &mut Outputs| {
                    let mut indicator = $make.expect("an indicator");
                    for (value, input) in outputs.real[0].iter_mut().zip(&$c.$inputs) {
                        *value = by_candle!(@next $function, indicator, input);
                    }
                    outputs.shape = Shape::Real(1);
                })),)*
                _ => None,
            }
        }
    };
    (@next yata, $indicator:ident, $input:ident) => { Method::next(&mut $indicator, $input) };
    (@next ta, $indicator:ident, $input:ident) => { $indicator.next(crate::others::Given::given($input)) };
}

/// Prices are given by value, candles by reference.
pub trait Given {
    type As<'a>
    where
        Self: 'a;
    fn given(&self) -> Self::As<'_>;
}
impl Given for f64 {
    type As<'a> = f64;
    fn given(&self) -> f64 {
        *self
    }
}
impl Given for ta::DataItem {
    type As<'a> = &'a ta::DataItem;
    fn given(&self) -> &ta::DataItem {
        self
    }
}

by_candle! {
    YATA, yata, c, o;
    "sma" => close, yata::methods::SMA::new(o[0] as u8, &c.close[0]);
    "ema" => close, yata::methods::EMA::new(o[0] as u8, &c.close[0]);
    "dema" => close, yata::methods::DEMA::new(o[0] as u8, &c.close[0]);
    "tema" => close, yata::methods::TEMA::new(o[0] as u8, &c.close[0]);
    "wma" => close, yata::methods::WMA::new(o[0] as u8, &c.close[0]);
    "hma" => close, yata::methods::HMA::new(o[0] as u8, &c.close[0]);
    "smma" => close, yata::methods::RMA::new(o[0] as u8, &c.close[0]);
    "trima" => close, yata::methods::TRIMA::new(o[0] as u8, &c.close[0]);
    "linearreg" => close, yata::methods::LinReg::new(o[0] as u8, &c.close[0]);
    "avgdev" => close, yata::methods::MeanAbsDev::new(o[0] as u8, &c.close[0]);
    "mom" => close, yata::methods::Momentum::new(o[0] as u8, &c.close[0]);
    "max" => close, yata::methods::Highest::new(o[0] as u8, &c.close[0]);
    "min" => close, yata::methods::Lowest::new(o[0] as u8, &c.close[0]);
}

by_candle! {
    TA, ta, c, o;
    "sma" => close, ta::indicators::SimpleMovingAverage::new(o[0] as usize);
    "ema" => close, ta::indicators::ExponentialMovingAverage::new(o[0] as usize);
    "rsi" => close, ta::indicators::RelativeStrengthIndex::new(o[0] as usize);
    "stddev" => close, ta::indicators::StandardDeviation::new(o[0] as usize);
    "max" => close, ta::indicators::Maximum::new(o[0] as usize);
    "min" => close, ta::indicators::Minimum::new(o[0] as usize);
    "roc" => close, ta::indicators::RateOfChange::new(o[0] as usize);
    "mfi" => ta, ta::indicators::MoneyFlowIndex::new(o[0] as usize);
    "cci" => ta, ta::indicators::CommodityChannelIndex::new(o[0] as usize);
    "atr" => ta, ta::indicators::AverageTrueRange::new(o[0] as usize);
}
