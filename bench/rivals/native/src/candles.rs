// The candles in the form of each library, and the outputs of calls.

pub struct Candles {
    pub count: usize,
    pub open: Vec<f64>,
    pub high: Vec<f64>,
    pub low: Vec<f64>,
    pub close: Vec<f64>,
    pub volume: Vec<f64>,
    pub wickra: Vec<wickra_core::Candle>,
    pub pairs: Vec<(f64, f64)>,
    pub ta: Vec<ta::DataItem>,
}

impl Candles {
    pub fn read(path: &str) -> Self {
        let bytes = std::fs::read(path).expect("a file of candles");
        let numbers: Vec<f64> =
            bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect();
        let count = numbers[0] as usize;
        let column = |k: usize| numbers[1 + k * count..1 + (k + 1) * count].to_vec();
        let [open, high, low, close, volume] = std::array::from_fn(column);
        let rows = 0..count;
        Self {
            count,
            wickra: rows
                .clone()
                .map(|i| {
                    wickra_core::Candle::new(open[i], high[i], low[i], close[i], volume[i], i as i64).expect("a candle")
                })
                .collect(),
            pairs: rows.clone().map(|i| (high[i], low[i])).collect(),
            ta: rows
                .map(|i| {
                    ta::DataItem::builder()
                        .open(open[i])
                        .high(high[i])
                        .low(low[i])
                        .close(close[i])
                        .volume(volume[i])
                        .build()
                        .expect("a candle")
                })
                .collect(),
            open,
            high,
            low,
            close,
            volume,
        }
    }
}

// Output buffer of a call, reserved once.
pub struct Outputs {
    pub real: Vec<Vec<f64>>,
    pub whole: Vec<Vec<i32>>,
    /// The first candle with a value: a call may write its values from the first place on.
    pub first: usize,
    pub shape: Shape,
}

// Outputs of a call.
pub enum Shape {
    Nothing,
    // The given number of columns of `real`.
    Real(usize),
    // The given number of columns of `whole`.
    Whole(usize),
    // The first column of `real` has all values of the first candle, then those of the second one.
    Rows(usize),
}

pub type Work = Box<dyn FnMut(&mut Outputs)>;

const MOST_OUTPUTS: usize = 12;

impl Outputs {
    pub fn new(count: usize) -> Self {
        Self {
            real: (0..MOST_OUTPUTS).map(|k| vec![0.0; if k == 0 { 4 * count } else { count }]).collect(),
            whole: vec![vec![0; count]; MOST_OUTPUTS],
            first: 0,
            shape: Shape::Nothing,
        }
    }

    pub fn clear(&mut self) {
        self.real.iter_mut().for_each(|column| column.fill(f64::NAN));
        self.first = 0;
        self.shape = Shape::Nothing;
    }

    // The written columns; a missing value is NaN.
    pub fn columns(&self, count: usize) -> Vec<Vec<f64>> {
        let aligned = |values: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
            std::iter::repeat_n(f64::NAN, self.first).chain(values.take(count - self.first)).collect()
        };
        match self.shape {
            Shape::Nothing => vec![],
            Shape::Real(columns) => (0..columns).map(|k| aligned(&mut self.real[k].iter().copied())).collect(),
            Shape::Whole(columns) => {
                (0..columns).map(|k| aligned(&mut self.whole[k].iter().map(|&value| f64::from(value)))).collect()
            }
            Shape::Rows(columns) => (0..columns)
                .map(|k| aligned(&mut self.real[0].iter().skip(k).step_by(columns).copied()))
                .collect(),
        }
    }
}
