//! Wickra: exact batches, its faster inexact ones, and updates.
use crate::candles::{Candles, Outputs, Shape, Work};
use wickra_core::*;

/// All values of an indicator with one output, as `batch_nan_into` writes them.
fn column<I>(inputs: &'static [I::Input], make: impl Fn() -> I + 'static) -> Option<Work>
where
    I: Indicator<Output = f64> + 'static,
    I::Input: Copy,
{
    Some(Box::new(move |outputs| {
        make().batch_nan_into(inputs, &mut outputs.real[0][..inputs.len()]);
        outputs.shape = Shape::Real(1);
    }))
}

/// All values of an indicator with several outputs, which has no batch of its own.
fn columns<I, const N: usize>(
    inputs: &'static [I::Input],
    make: impl Fn() -> I + 'static,
    fields: impl Fn(I::Output) -> [f64; N] + 'static,
) -> Option<Work>
where
    I: Indicator + 'static,
    I::Input: Copy,
{
    Some(Box::new(move |outputs| {
        let mut indicator = make();
        let (rows, _) = outputs.real[0].as_chunks_mut::<N>();
        for (row, input) in rows.iter_mut().zip(inputs) {
            *row = indicator.update(*input).map_or([f64::NAN; N], &fields);
        }
        outputs.shape = Shape::Rows(N);
    }))
}

// An indicator that continues from its last candle with the first one.
fn updates<I>(inputs: &'static [I::Input], make: impl Fn() -> I) -> Option<Work>
where
    I: Indicator + 'static,
    I::Input: Copy,
{
    let mut indicator = make();
    Some(Box::new(move |_| {
        for input in inputs {
            std::hint::black_box(indicator.update(*input));
        }
    }))
}

macro_rules! indicators {
    ($c:ident, $o:ident; $($name:literal => $inputs:ident, $make:expr $(, $fields:expr)?;)*) => {
        pub const NAMES: &[&str] = &[$($name),*];
        // Calls the exact batch function if there is one. [allow(unreachable_patterns)]
        pub fn call($c: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
            let $o = options.to_vec();
            match name {
                "macd" => rows(3, move |o| indicator_macd(&$o).batch_macd_into(&$c.close, &mut o[..3 * $c.count])),
                "macdfix" => rows(3, move |o| MacdFix::new($o[0] as usize).unwrap().batch_macd_into(&$c.close, &mut o[..3 * $c.count])),
                "bbands" => rows(4, move |o| bollinger(&$o).batch_bands_into(&$c.close, &mut o[..4 * $c.count])),
                "atr" => rows(1, move |o| Atr::new($o[0] as usize).unwrap().batch_atr_into(&$c.high, &$c.low, &$c.close, &mut o[..$c.count])),
                "adosc" => rows(1, move |o| {
                    ChaikinOscillator::new($o[0] as usize, $o[1] as usize).unwrap().batch_hlcv_into(&$c.high, &$c.low, &$c.close, &$c.volume, &mut o[..$c.count])
                }),
                "correl" => rows(1, move |o| PearsonCorrelation::new($o[0] as usize).unwrap().batch_pairs_into(&$c.high, &$c.low, &mut o[..$c.count])),
                $($name => indicators!(@batch &$c.$inputs, move || ($make).unwrap() $(, $fields)?),)*
                _ => None,
            }
        }
        pub fn update($c: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
            let $o = options.to_vec();
            match name {
                $($name => updates(&$c.$inputs, move || ($make).unwrap()),)*
                _ => None,
            }
        }
    };
    (@batch $inputs:expr, $make:expr) => { column($inputs, $make) };
    (@batch $inputs:expr, $make:expr, $fields:expr) => { columns($inputs, $make, $fields) };
}

fn rows(columns: usize, write: impl Fn(&mut [f64]) + 'static) -> Option<Work> {
    Some(Box::new(move |outputs: &mut Outputs| {
        write(&mut outputs.real[0]);
        outputs.shape = Shape::Rows(columns);
    }))
}

fn indicator_macd(o: &[f64]) -> MacdIndicator {
    MacdIndicator::new(o[0] as usize, o[1] as usize, o[2] as usize).unwrap()
}

fn bollinger(o: &[f64]) -> BollingerBands {
    BollingerBands::new(o[0] as usize, o[1]).unwrap()
}

// Indicators whose values may differ in the last digits from those of updates.
pub const FAST: &[&str] = &["macd", "bbands", "atr", "adosc", "correl", "ema", "sma", "wma", "rsi", "dema", "tema", "trima", "hma"];

pub fn fast(c: &'static Candles, name: &str, options: &[f64]) -> Option<Work> {
    let o = options.to_vec();
    let n = c.count;
    macro_rules! prices {
        ($kind:ident) => {
            rows(1, move |out| $kind::new(o[0] as usize).unwrap().batch_fast_into(&c.close, &mut out[..n]))
        };
    }
    match name {
        "macd" => rows(3, move |out| indicator_macd(&o).batch_macd_fast_into(&c.close, &mut out[..3 * n])),
        "bbands" => rows(4, move |out| bollinger(&o).batch_bands_fast_into(&c.close, &mut out[..4 * n])),
        "atr" => rows(1, move |out| Atr::new(o[0] as usize).unwrap().batch_atr_fast_into(&c.high, &c.low, &c.close, &mut out[..n])),
        "adosc" => rows(1, move |out| {
            ChaikinOscillator::new(o[0] as usize, o[1] as usize).unwrap().batch_hlcv_fast_into(&c.high, &c.low, &c.close, &c.volume, &mut out[..n])
        }),
        "correl" => rows(1, move |out| PearsonCorrelation::new(o[0] as usize).unwrap().batch_pairs_fast_into(&c.high, &c.low, &mut out[..n])),
        "ema" => prices!(Ema),
        "sma" => prices!(Sma),
        "wma" => prices!(Wma),
        "rsi" => prices!(Rsi),
        "dema" => prices!(Dema),
        "tema" => prices!(Tema),
        "trima" => prices!(Trima),
        "hma" => prices!(Hma),
        _ => None,
    }
}

indicators! {
    c, o;
    "accbands" => wickra, AccelerationBands::new(o[0] as usize, 4.0), |v| [v.upper, v.middle, v.lower];
    "accosc" => wickra, AcceleratorOscillator::new(o[1] as usize, o[0] as usize, 5);
    "acf" => close, Autocorrelation::new(o[0] as usize, o[1] as usize);
    "ad" => wickra, Some(Adl::new());
    "adx" => wickra, Adx::new(o[0] as usize), |v| [v.adx];
    "adxr" => wickra, Adxr::new(o[0] as usize);
    "alma" => close, Alma::new(o[0] as usize, o[1], o[2]);
    "ao" => wickra, AwesomeOscillator::new(5, 34);
    "aroon" => wickra, Aroon::new(o[0] as usize), |v| [v.down, v.up];
    "aroonosc" => wickra, AroonOscillator::new(o[0] as usize);
    "atrbands" => wickra, AtrBands::new(o[0] as usize, o[1]), |v| [v.upper, v.middle, v.lower];
    "avgprice" => wickra, Some(AvgPrice::new());
    "bbw" => close, BollingerBandwidth::new(o[0] as usize, o[1]);
    "bop" => wickra, Some(BalanceOfPower::new());
    "cci" => wickra, Cci::new(o[0] as usize);
    "chandekrollstop" => wickra, ChandeKrollStop::new(o[0] as usize, o[1], o[2] as usize), |v| [v.stop_long, v.stop_short];
    "chandelierexit" => wickra, ChandelierExit::new(o[0] as usize, o[1]), |v| [v.long_stop, v.short_stop];
    "chop" => wickra, ChoppinessIndex::new(o[0] as usize);
    "cmf" => wickra, ChaikinMoneyFlow::new(o[0] as usize);
    "coefficientofvariation" => close, CoefficientOfVariation::new(o[0] as usize);
    "coppockcurve" => close, Coppock::new(o[1] as usize, o[2] as usize, o[0] as usize);
    "cti" => close, CorrelationTrendIndicator::new(o[0] as usize);
    "cvi" => wickra, ChaikinVolatility::new(o[0] as usize, o[0] as usize);
    "dema" => close, Dema::new(o[0] as usize);
    "demarker" => wickra, TdDeMarker::new(o[0] as usize);
    "derivativeosc" => close, DerivativeOscillator::new(o[0] as usize, o[1] as usize, o[2] as usize, o[3] as usize);
    "disparityindex" => close, DisparityIndex::new(o[0] as usize);
    "donchianchannels" => wickra, Donchian::new(o[0] as usize), |v| [v.upper, v.middle, v.lower];
    "dpo" => close, Dpo::new(o[0] as usize);
    "dx" => wickra, Dx::new(o[0] as usize);
    "ehma" => close, Ehma::new(o[0] as usize);
    "elderray" => wickra, ElderRay::new(o[0] as usize), |v| [v.bull_power, v.bear_power];
    "ema" => close, Ema::new(o[0] as usize);
    "evwma" => wickra, Evwma::new(o[0] as usize);
    "fcb" => wickra, FractalChaosBands::new(o[0] as usize), |v| [v.upper, v.lower];
    "forceindex" => wickra, ForceIndex::new(o[0] as usize);
    "heikinashi" => wickra, Some(HeikinAshi::new()), |v| [v.open, v.high, v.low, v.close];
    "hma" => close, Hma::new(o[0] as usize);
    "ht_dcperiod" => close, Some(HilbertDominantCycle::new());
    "imi" => wickra, IntradayMomentumIndex::new(o[0] as usize);
    "iqr" => close, RollingIqr::new(o[0] as usize);
    "jarquebera" => close, JarqueBera::new(o[0] as usize);
    "jma" => close, Jma::new(o[0] as usize, o[1], o[2] as u32);
    "keltnerchannels" => wickra, Keltner::new(o[0] as usize, o[2] as usize, o[1]), |v| [v.upper, v.middle, v.lower];
    "kendall" => pairs, KendallTau::new(o[0] as usize);
    "linearreg" => close, LinearRegression::new(o[0] as usize);
    "linearreg_angle" => close, LinRegAngle::new(o[0] as usize);
    "linearreg_intercept" => close, LinRegIntercept::new(o[0] as usize);
    "linregslope" => close, LinRegSlope::new(o[0] as usize);
    "linregstderr" => close, StandardError::new(o[0] as usize);
    "logreturn" => close, LogReturn::new(o[0] as usize);
    "mama" => close, Mama::new(o[0], o[1]), |v| [v.mama, v.fama];
    "marketfi" => wickra, Some(MarketFacilitationIndex::new());
    "mass" => wickra, MassIndex::new(9, o[0] as usize);
    "maxdrawdown" => close, MaxDrawdown::new(o[0] as usize);
    "mcginleydynamic" => close, McGinleyDynamic::new(o[0] as usize);
    "medianabsdev" => close, MedianAbsoluteDeviation::new(o[0] as usize);
    "medprice" => wickra, Some(MedianPrice::new());
    "mfi" => wickra, Mfi::new(o[0] as usize);
    "midpoint" => close, MidPoint::new(o[0] as usize);
    "midprice" => wickra, MidPrice::new(o[0] as usize);
    "minus_di" => wickra, MinusDi::new(o[0] as usize);
    "minus_dm" => wickra, MinusDm::new(o[0] as usize);
    "mom" => close, Mom::new(o[0] as usize);
    "natr" => wickra, Natr::new(o[0] as usize);
    "nvi" => wickra, Some(Nvi::new());
    "obv" => wickra, Some(Obv::new());
    "painindex" => close, PainIndex::new(o[0] as usize);
    "percentb" => close, PercentB::new(o[0] as usize, o[1]);
    "pgo" => wickra, Pgo::new(o[0] as usize);
    "plus_di" => wickra, PlusDi::new(o[0] as usize);
    "plus_dm" => wickra, PlusDm::new(o[0] as usize);
    "projectionosc" => wickra, ProjectionOscillator::new(o[0] as usize);
    "psar" => wickra, Psar::new(o[0], o[1], o[2]);
    "pvi" => wickra, Some(Pvi::new());
    "pvt" => wickra, Some(VolumePriceTrend::new());
    "qstick" => wickra, Qstick::new(o[0] as usize);
    "quantile" => close, RollingQuantile::new(o[0] as usize, o[1]);
    "rmi" => close, Rmi::new(o[0] as usize, o[1] as usize);
    "roc" => close, Roc::new(o[0] as usize);
    "rocp" => close, Rocp::new(o[0] as usize);
    "rocr" => close, Rocr::new(o[0] as usize);
    "rocr100" => close, Rocr100::new(o[0] as usize);
    "rsi" => close, Rsi::new(o[0] as usize);
    "rsquared" => close, RSquared::new(o[0] as usize);
    "rsx" => close, Rsx::new(o[0] as usize);
    "sampleentropy" => close, SampleEntropy::new(o[0] as usize, o[1] as usize, o[2]);
    "sma" => close, Sma::new(o[0] as usize);
    "smma" => close, Smma::new(o[0] as usize);
    "spearman" => pairs, SpearmanCorrelation::new(o[0] as usize);
    "stddev" => close, StdDev::new(o[0] as usize);
    "t3" => close, T3::new(o[0] as usize, o[1]);
    "tema" => close, Tema::new(o[0] as usize);
    "trange" => wickra, Some(TrueRange::new());
    "trendintensity" => close, Tii::new(o[0] as usize, o[1] as usize);
    "trima" => close, Trima::new(o[0] as usize);
    "trix" => close, Trix::new(o[0] as usize);
    "tsf" => close, Tsf::new(o[0] as usize);
    "ttmtrend" => wickra, TtmTrend::new(o[0] as usize);
    "twiggs" => wickra, TwiggsMoneyFlow::new(o[0] as usize);
    "typprice" => wickra, Some(TypicalPrice::new());
    "ulcerindex" => close, UlcerIndex::new(o[0] as usize);
    "ultosc" => wickra, UltimateOscillator::new(o[0] as usize, o[1] as usize, o[2] as usize);
    "var" => close, Variance::new(o[0] as usize);
    "vhf" => close, VerticalHorizontalFilter::new(o[0] as usize);
    "vortex" => wickra, Vortex::new(o[0] as usize), |v| [v.plus, v.minus];
    "vwma" => wickra, Vwma::new(o[0] as usize);
    "vwmacd" => wickra, VolumeWeightedMacd::new(o[0] as usize, o[1] as usize, o[2] as usize), |v| [v.macd, v.signal, v.histogram];
    "wad" => wickra, Some(Wad::new());
    "wavetrend" => wickra, WaveTrend::new(o[0] as usize, o[1] as usize, o[2] as usize), |v| [v.wt1, v.wt2];
    "wclprice" => wickra, Some(WeightedClose::new());
    "willr" => wickra, WilliamsR::new(o[0] as usize);
    "wma" => close, Wma::new(o[0] as usize);
    "zlema" => close, Zlema::new(o[0] as usize);
    "macd" => close, MacdIndicator::new(o[0] as usize, o[1] as usize, o[2] as usize), |v| [v.macd, v.signal, v.histogram];
    "macdfix" => close, MacdFix::new(o[0] as usize), |v| [v.macd, v.signal, v.histogram];
    "bbands" => close, BollingerBands::new(o[0] as usize, o[1]), |v| [v.upper, v.middle, v.lower];
    "atr" => wickra, Atr::new(o[0] as usize);
    "adosc" => wickra, ChaikinOscillator::new(o[0] as usize, o[1] as usize);
    "correl" => pairs, PearsonCorrelation::new(o[0] as usize);
}
