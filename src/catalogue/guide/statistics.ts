import type { Guide } from './guide-line.js'

export const statisticsGuide: Guide = {
  beta: [
    "The slope of one column's returns on another's: how strongly one moves with the other. With its defaults it compares high with low. It needs two inputs that belong together.",
    'correl covariance',
  ],
  correl: [
    'The correlation of two columns over a window, from −1 to 1. It shows whether they move together. It sees only straight relations, and prices with trends correlate by themselves.',
    'beta covariance spearman',
  ],
  linearreg: [
    'The end of the line of least squares through the window. It follows a steady trend without lag. At turns it goes on in the old direction for a while.',
    'tsf linreg zlsma linearreg_slope',
  ],
  linearreg_angle: [
    'The angle of the regression line in degrees. It is the slope in another form and depends on the scale of the price.',
    'linearreg_slope linearreg',
  ],
  linearreg_intercept: [
    'Where the regression line of the window begins, at its oldest candle. Together with the end it draws the line. It says little by itself.',
    'linearreg linearreg_slope',
  ],
  linearreg_slope: [
    'The slope of the regression line per candle. Its sign is the direction, its size the speed, in units of the price.',
    'linearreg linearreg_angle rsquared',
  ],
  linreg: [
    "Tulip's name for the end of the regression line, with the values of linearreg. It follows the price with little lag and goes on in the old direction after a turn.",
    'linearreg tsf',
  ],
  linregslope: [
    "Tulip's name for the slope of the regression line, per candle. Its sign is the direction; its size depends on the price.",
    'linearreg_slope',
  ],
  linregintercept: [
    "Tulip's name for the start of the regression line. Together with the slope it draws the line. It says little by itself.",
    'linearreg_intercept',
  ],
  tsf: [
    'The regression line one candle further: the forecast of the next price. It is as good as the assumption that the line goes on.',
    'linearreg fosc',
  ],
  var: [
    'The mean squared distance from the mean of the window. It is the square of the standard deviation and mainly a building block.',
    'stddev zscore',
  ],
  avgdev: [
    'The mean absolute distance from the mean. It counts large deviations less than the standard deviation does, so single spikes matter less. It has no direction.',
    'md medianabsdev stddev',
  ],
  md: [
    "Tulip's mean deviation around the mean of the window, the divisor of the CCI. It is a measure of dispersion without squares. It has no direction.",
    'avgdev cci',
  ],
  stderr: [
    'The standard error of the mean: the deviation divided by the root of the number of values. It says how sure a mean is if values were independent, which prices are not.',
    'stddev linregstderr',
  ],
  zscore: [
    'How many standard deviations the price lies from its mean. Beyond 2 it is unusual for the window. In trends it stays there.',
    'bbands percentb cci',
  ],
  median: [
    'The middle value of the window. A single spike does not move it. It is a mean for data with errors.',
    'sma trimmedmean percentilenearest',
  ],
  skewness: [
    'Whether large deviations lie above or below the mean. Negative values mean rare large falls. A few candles decide it.',
    'kurtosis jarquebera',
  ],
  kurtosis: [
    'How much weight lies in extremes compared with a normal distribution, which gives 0. High values warn of outliers. Small windows estimate it badly.',
    'skewness jarquebera',
  ],
  hurst: [
    'Estimates whether moves persist (above 0.5) or turn back (below). It helps to choose between trend and reversal tools. The estimate of a short window is uncertain by more than the usual effect.',
    'varianceratio frama halflife',
  ],
  cti: [
    'The correlation of price with a straight line, from −1 to 1. Near 1 the market rises evenly. It says nothing about how steep.',
    'rsquared rci linearreg_slope',
  ],
  rsquared: [
    "The share of the price's movement that a straight line explains. High values mean an orderly trend. It falls at every turn and has no direction.",
    'cti linearreg_slope',
  ],
  linregstderr: [
    'The typical distance of prices from their regression line. It is the width of regression channels, and small where a trend is orderly. It reacts late to a turn.',
    'stddevchannel linearreg',
  ],
  percentilenearest: [
    'The value of the window below which a given share of values lies, always one of them. It gives limits that outliers do not move. It moves in steps.',
    'percentilelinear quantile median',
  ],
  percentilelinear: [
    'The value below which a given share of the window lies, with interpolation between two values. It gives limits that outliers do not move. In trends it lags like a mean.',
    'percentilenearest quantile',
  ],
  quantile: [
    'The value below which a share from 0 to 1 of the window lies: the percentile as spreadsheets calculate it. It gives limits that outliers do not move. In trends it lags like a mean.',
    'percentilelinear median',
  ],
  iqr: [
    'The distance between the upper and the lower quarter of the window. It measures dispersion without regard to extremes.',
    'medianabsdev stddev',
  ],
  percentrank: [
    'The share of earlier values in the window that are not above the present one. It turns any column into 0 to 100. A slow rise gives 100 as a jump does.',
    'rci connorsrsi zscore',
  ],
  mode: [
    'The value that occurs most often in the window; the lowest one where all differ. For prices with many decimals nearly every value occurs once.',
    'median',
  ],
  medianabsdev: [
    'The median distance from the median. One bad value cannot change it. It suits rules against outliers.',
    'avgdev iqr',
  ],
  entropy: [
    'How evenly the sum of the window is spread over its values. Even values give the most. It changes little on ordinary prices.',
    'sampleentropy theil',
  ],
  candlez: [
    'Open, high, low and close as z-scores of their windows. It lets candles of different markets be compared.',
    'zscore heikinashi',
  ],
  covariance: [
    'How two columns vary together, in the product of their units. Divided by the deviations it is the correlation, by one variance the slope. Its size alone cannot be judged.',
    'correl beta',
  ],
  spearman: [
    'The correlation of ranks of two columns. It sees any relation that only rises or only falls. It is slower to compute than the ordinary one.',
    'kendall correl rci',
  ],
  kendall: [
    'The balance of pairs in the same order and in the opposite order. It is the most cautious of the correlations.',
    'spearman correl',
  ],
  acf: [
    'The correlation of the price with itself some candles earlier. Peaks show cycles. Prices with a trend correlate at every lag, so returns are the better input.',
    'pacf autocorrelationperiodogram',
  ],
  pacf: [
    'The correlation at a lag that is not explained by shorter ones. It shows how many past values matter. Prices nearly always need one.',
    'acf',
  ],
  logreturn: [
    'The logarithm of the price ratio. Such returns can be added over time. For small moves it is nearly the relative change.',
    'percentreturn roc',
  ],
  percentreturn: [
    'The change over some candles as a fraction of the old price, as most people state a return: 0.05 for five percent. Such returns cannot be added over time: a fall of 0.5 needs a rise of 1 to be made good.',
    'logreturn roc',
  ],
  drawdown: [
    'How far the price is below its highest value since the first candle. It shows the loss of someone who bought at the worst time. A longer history may contain a higher peak, so the value depends on where it begins.',
    'maxdrawdown ulcerindex',
  ],
  maxdrawdown: [
    'The greatest fall from a high to a later low in the window. It is the usual measure of the worst case that has happened. The worst to come may be greater.',
    'drawdown calmarratio',
  ],
  sharperatio: [
    'The mean return over its standard deviation. It compares gain with risk. It counts sudden gains as risk too and varies strongly between windows.',
    'sortinoratio omegaratio',
  ],
  downsidedeviation: [
    'The dispersion of returns below a target. It is the risk in the Sortino ratio. Few falls in a window give a small and uncertain value.',
    'sortinoratio stddev',
  ],
  sortinoratio: [
    'The mean return over the dispersion of losses only. It does not punish gains. In windows without losses it has no value.',
    'sharperatio downsidedeviation',
  ],
  omegaratio: [
    'The sum of gains over the sum of losses against a target. It uses the whole distribution. Above 1 gains prevail.',
    'sharperatio sortinoratio',
  ],
  calmarratio: [
    'The return over the greatest drawdown. It sets gain against the loss that one would have suffered. A single fall decides it, and a lucky window flatters.',
    'maxdrawdown sharperatio',
  ],
  valueatrisk: [
    'The return that is undercut only in a small share of cases if returns follow a bell curve with the mean and dispersion of the window. It is read as the loss of a bad day. Real markets have more very bad days than that curve.',
    'expectedshortfall volatility',
  ],
  geomean: [
    'The geometric mean of the window: the mean growth. It lies below the simple mean. Values must be positive.',
    'harmean sma',
  ],
  harmean: [
    'The harmonic mean of the window, which low values pull down most. It suits ratios. Values must be positive.',
    'geomean sma',
  ],
  trimmedmean: [
    'The mean without the highest and the lowest share of values. It resists outliers and still uses most of the data.',
    'winsorizedmean median',
  ],
  winsorizedmean: [
    'The mean in which extreme values are replaced by the nearest ordinary ones. It is the sibling of the trimmed mean.',
    'trimmedmean median',
  ],
  jarquebera: [
    'A test of whether values look normally distributed, from skewness and kurtosis. Above 6 they do not. Nearly no market passes on long windows.',
    'skewness kurtosis',
  ],
  ttest: [
    'How far the mean of the window lies from an assumed one, in units of its standard error. Beyond ±2 they differ more than chance explains, if values are independent: returns nearly are, prices are not. Of many tests some pass the limit by chance.',
    'sharperatio zscore',
  ],
  theil: [
    'An index of inequality of the values in the window. On prices it is a measure of dispersion. It is known from incomes.',
    'entropy stddev',
  ],
  polyfit: [
    'The end of a polynomial through the window. It bends with the price, so it follows turns sooner than a line. High orders swing at the ends.',
    'linearreg savitzkygolay',
  ],
  adf: [
    'The Dickey-Fuller statistic: strongly negative values speak for a price that returns to its mean. Limits depend on the size of the window. It rejects rarely on short ones.',
    'halflife hurst varianceratio',
  ],
  granger: [
    'Whether past values of one column help to forecast another. High values say so. It is a statement about forecasts, not about causes.',
    'correl distancecorrelation',
  ],
  coefficientofvariation: [
    'The standard deviation as a share of the mean. It compares dispersion between markets with different prices.',
    'stddev natr',
  ],
  expectedshortfall: [
    'The mean of the losses beyond the value at risk. It tells how bad the bad days are. It rests on few values.',
    'valueatrisk',
  ],
  painindex: [
    'The mean depth of the falls from the high in the window. It is gentler on single deep falls than the ulcer index.',
    'ulcerindex drawdown',
  ],
  drawdownduration: [
    'How many candles ago the highest value so far was reached. A large value says that a loss has lasted long. It depends on where the history begins.',
    'drawdown maxdrawdown',
  ],
  varianceratio: [
    'Compares the variance of long returns with that of short ones: above 1 moves persist, below they reverse. In short windows it strays far from 1 by chance.',
    'hurst adf',
  ],
  halflife: [
    'How many candles half of a deviation from the mean takes to vanish, from a regression. It helps to size windows of reversal tools. In trends it is undefined.',
    'adf hurst',
  ],
  sampleentropy: [
    'How unpredictable the sequence is: low where similar patterns continue alike. It sorts regular from irregular markets. It needs many values and time to compute.',
    'entropy hurst',
  ],
  distancecorrelation: [
    'A correlation that is zero only where two columns are independent. It finds curved relations. It has no sign.',
    'correl granger',
  ],
  cma: [
    'The mean of all values so far. Each new one moves it less. It depends on where the history begins.',
    'sma cumsum',
  ],
}
