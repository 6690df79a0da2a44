// Times indicators of Rust libraries without a binding. `rivals CANDLES`: a file of a count, then open, high, low, close and
// volume as f64 columns. Each line of the standard input is answered by one line: - `list`: all names, as `library name`,
// separated by commas - `time BATCHES library name option …`: nanoseconds per candle, or `none` - `values FILE library name
// option …`: number of outputs written to the file, or `none` A batch repeats a call for about a millisecond, which mostly
// passes without another process getting its turn; the fastest counts, because other work can only slow a batch.
mod candles;
mod kand;
mod others;
mod talib;
mod wickra;

use candles::{Candles, Outputs, Work};
use std::io::{BufRead, Write};
use std::time::Instant;

fn work_of(candles: &'static Candles, library: &str, name: &str, options: &[f64]) -> Option<Work> {
    match library {
        "talib" => talib::call(candles, name, options),
        "talib-update" => talib::update(candles, name, options),
        "wickra" => wickra::call(candles, name, options),
        "wickra-fast" => wickra::fast(candles, name, options),
        "wickra-update" => wickra::update(candles, name, options),
        "kand" => kand::call(candles, name, options),
        "yata" => others::yata(candles, name, options),
        "ta" => others::ta(candles, name, options),
        _ => None,
    }
}

fn nanoseconds(work: &mut Work, outputs: &mut Outputs, batches: u32, count: usize) -> f64 {
    let mut repetitions = 1;
    let mut batch = |repetitions: u32| {
        let begin = Instant::now();
        for _ in 0..repetitions {
            work(std::hint::black_box(outputs));
        }
        begin.elapsed().as_nanos() as f64
    };
    while batch(repetitions) < 1e6 && batches > 1 {
        repetitions *= 2;
    }
    let best = (0..batches).map(|_| batch(repetitions)).fold(f64::INFINITY, f64::min);
    best / f64::from(repetitions) / count as f64
}

fn answer(candles: &'static Candles, outputs: &mut Outputs, line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let command = words.next()?;
    if command == "list" {
        let names = [
            ("talib", talib::names()),
            ("talib-update", talib::UPDATES.iter().map(|name| name.to_string()).collect()),
            ("wickra", wickra::NAMES.iter().map(|name| name.to_string()).collect()),
            ("wickra-fast", wickra::FAST.iter().map(|name| name.to_string()).collect()),
            ("kand", kand::NAMES.iter().map(|name| name.to_string()).collect()),
            ("yata", others::YATA.iter().map(|name| name.to_string()).collect()),
            ("ta", others::TA.iter().map(|name| name.to_string()).collect::<Vec<_>>()),
        ];
        let all: Vec<String> = names
            .iter()
            .flat_map(|(library, names)| names.iter().map(move |name| format!("{library} {name}")))
            .collect();
        return Some(all.join(","));
    }
    let argument = words.next()?;
    let (library, name) = (words.next()?, words.next()?);
    let options: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
    let mut work = work_of(candles, library, name, &options)?;
    outputs.clear();
    if command == "time" {
        return Some(nanoseconds(&mut work, outputs, argument.parse().ok()?, candles.count).to_string());
    }
    work(outputs);
    if matches!(outputs.shape, candles::Shape::Nothing) {
        return None;
    }
    let columns = outputs.columns(candles.count);
    let bytes: Vec<u8> = columns.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    std::fs::write(argument, bytes).ok()?;
    Some(columns.len().to_string())
}

fn main() {
    let path = std::env::args().nth(1).expect("a file of candles");
    let candles: &'static Candles = Box::leak(Box::new(Candles::read(&path)));
    let mut outputs = Outputs::new(candles.count);
    for line in std::io::stdin().lock().lines() {
        let reply = answer(candles, &mut outputs, &line.expect("text"));
        println!("{}", reply.as_deref().unwrap_or("none"));
        std::io::stdout().flush().expect("an open standard output");
    }
}
