/** How widely an indicator is known: 1 the widely used ones, 2 those that some libraries have, 3 the rare ones. */
export const tiers = [1, 2, 3] as const
export type Tier = (typeof tiers)[number]

const second = new Set(
  `
  acf adaptivelaguerre ahrensma apz aso atrbands autocorrelationperiodogram bbtrend bettervolume bigcandle
  butterworth2 butterworth3 closevolatility covariance cybercycle damiani derivativeosc
  detrendedsyntheticprice devstop dssbressert dti dymi ecema ehma emd evwma ewmavolatility ewo
  fourpricedoji fvgtrailingstop gapo garmanklass hannma henderson holt impulsemacd iqr jsa kalman
  kaufmanstop kendall keyreversal kicker laguerrefilter linregstderr maaq maribbon mcnichollma medianabsdev
  most netvolume nrtr otto pacf parkinson pma pocketpivot projectionbands qqemod rainbowoscillator
  raschke310 rci rei roofing rvir safezonestop savitzkygolay sharperatio smoothedheikinashi sobv
  sortinoratio spearman specialk sqwma srwma stiffness streak swingindex swissarmyknife tdi
  tradevolumeindex trendmagic trendtriggerfactor twap twiggs ultimatesmoother updownvolume valueatrisk vlma
  volatilityratio volumeaccumulation volumeadjustedma vpwma vwapbands widerange woodiescci wvad yangzhang
  zlsma
`
    .trim()
    .split(/\s+/),
)
const third = new Set(
  `
  acceleration adf amihud bearishsticksandwich blockade bottle calmarratio ccicycle cma
  coefficientofvariation collapsingdojistar decaychannel deliberationblock descendinghawk descentblock
  distancecorrelation doubletrouble downsidedeviation downsidegaptworabbits drawdownduration dvdiqqe dwma
  euphoria expectedshortfall fve gappingdoji geomean goldenzone granger halflife harmean hpattern
  hurstbands hvpercentile islandreversal jarquebera jerk keltnerwidth kirshenbaum kyleslambda laddertop
  lowershadow macz matchinghigh maxdrawdown midbody moonphase mvwap netmyrsi newpricelines normalize
  omegaratio painindex polyfit realbody reversalbar reversersi rollspread sampleentropy slingshot
  squeezealert stomach tdantidifferential tdcamouflage tdclop tdclopwin tddifferential tdopen tdpressure
  tdrangeprojection tdreversedifferential tdtrap theil tke trimmedmean tsv ttest turtlesoup twoblackgapping
  tworabbits uniquethreemountain universaloscillator uppershadow varianceratio volofvol vwad vzo
  winsorizedmean
`
    .trim()
    .split(/\s+/),
)

/** The indicators of the tiers 2 and 3. */
export const rareNames: readonly string[] = [...second, ...third]

export const tierOf = (name: string): Tier => (third.has(name) ? 3 : second.has(name) ? 2 : 1)
