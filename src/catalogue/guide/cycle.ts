import type { Guide } from './guide-line.js'

export const cycleGuide: Guide = {
  ht_dcperiod: [
    'Measures how many candles the dominant cycle of the price takes, by a Hilbert transform. Other tools use the result as their length. In trends there is no cycle, and the number wanders.',
    'ht_dcphase ht_phasor autocorrelationperiodogram mama',
  ],
  ht_dcphase: [
    'The phase of the dominant cycle in degrees: where in its swing the market is. A steady advance means a clean cycle. In trends the phase stands still or runs backwards.',
    'ht_dcperiod ht_sine correlationcycle',
  ],
  ht_phasor: [
    "The two components of the cycle, in phase and a quarter ahead, from which phase and amplitude are found. It is raw material for one's own cycle tools.",
    'ht_dcphase correlationcycle',
  ],
  ht_sine: [
    'The sine of the measured phase, with a second line 45 degrees ahead. Their crossings mark turns of the cycle in advance. Lines that run side by side say that there is no cycle.',
    'ht_dcphase msw ebsw',
  ],
  ht_trendmode: [
    '1 where the market trends and 0 where it cycles, by the rules of Ehlers. It tells which kind of tool to use. It changes its mind late and often.',
    'ht_trendline chop adx',
  ],
  msw: [
    "The MESA sine wave with a lead line, from a fixed length; Tulip's differs by its short π, about 1e-7, and on prices of a few thousandths. Crossings mark turns in a market that swings with that length. Other lengths give noise.",
    'ht_sine ebsw',
  ],
  cog: [
    "Ehlers' centre of gravity of the window: it turns with hardly any lag. Crossings with its own last value mark small swings. There are many, and nothing tells which matter.",
    'fisher cybercycle dpo',
  ],
  highpass: [
    'Takes slow moves out of the price and leaves cycles shorter than its period around zero. It is the first stage of several other filters. After a sharp move it needs some candles to come back to zero.',
    'highpass2 decycler roofing',
  ],
  highpass2: [
    'A high-pass filter with two poles: slow moves vanish more completely than with one. Around its period it shifts the swings.',
    'highpass roofing ultimatesmoother',
  ],
  bandpass: [
    'Keeps only swings near its period, with a normalised form and a trigger. Crossings of zero and of the trigger give turns of that cycle. It shows a cycle of its period even where the market has none.',
    'roofing voss emd',
  ],
  decycleroscillator: [
    'What a high-pass filter of half the period leaves of the decycler, in percent of the price: positive where the trend of medium length rises. It turns early for its smoothness. It has no scale that holds for all markets.',
    'decycler roofing',
  ],
  roofing: [
    'A high-pass followed by a super smoother, so that only swings between two periods remain. It prepares prices for oscillators. The range of periods must suit the market.',
    'highpass2 supersmoother bandpass',
  ],
  reflex: [
    'Measures how far the smoothed price is from a straight line over the window, in its own units of dispersion. It shows cycles with almost no lag. Trends pull it to one side.',
    'trendflex supersmoother',
  ],
  trendflex: [
    'The mean distance of the smoothed price from its values in the window, in units of dispersion. Above zero it rises. It is made for trends where Reflex is made for cycles.',
    'reflex roofing',
  ],
  cybercycle: [
    "Ehlers' cycle component of the price with a trigger one candle behind. Crossings mark turns of short cycles. In trends they come against the trend.",
    'itrend cog',
  ],
  voss: [
    'A band-pass filter and a predictor that runs ahead of it by some candles. Crossings of both come before turns of the cycle. The prediction assumes that the cycle goes on.',
    'bandpass',
  ],
  ebsw: [
    'A filtered price divided by its own power, which swings between −1 and 1. Near 1 a rise can be held, near −1 a fall. It snaps to an end in trends and flips in noise.',
    'ht_sine roofing',
  ],
  universaloscillator: [
    'A whitened and smoothed price scaled by its recent peak to −1 … 1. Crossings of zero follow short swings. The scaling makes quiet markets look as lively as wild ones.',
    'ebsw roofing',
  ],
  correlationcycle: [
    'Correlates the price with a cosine and a sine of the period to get an angle and a state: trend up, trend down or cycle. The angle advances in a cycle and stops in a trend. The period must be near the real one.',
    'ht_dcphase ht_trendmode',
  ],
  emd: [
    "Splits the price into a cycle and a trend and compares the trend with thresholds from the cycle's size. A trend line beyond them says trend, within them cycle. Thresholds react slowly.",
    'bandpass ht_trendmode',
  ],
  detrendedsyntheticprice: [
    'The difference of two averages of the middle price set to a quarter and a half of a cycle. It swings around zero with that cycle. A wrong length gives a wrong picture.',
    'dpo macd',
  ],
  moonphase: [
    'The phase of the moon at the time of a candle, and the part that is lit. Some compare markets with it. No effect on prices has been shown.',
    'sessions',
  ],
  autocorrelationperiodogram: [
    "Finds the dominant cycle from how the price correlates with itself at many lags. It is the most reliable of Ehlers' measurements and the most costly. It needs a long history and says little in trends.",
    'ht_dcperiod acf',
  ],
}
