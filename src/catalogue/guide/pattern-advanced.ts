import type { Guide } from './guide-line.js'

export const chartPatternGuide: Guide = {
  headandshoulders: [
    'Three highs, the middle one highest, over a line through the lows between them. A close below the line confirms a fall by about the height of the head. Many shapes look like it; only the break counts.',
    'inverseheadandshoulders tripletop doubletop',
  ],
  inverseheadandshoulders: [
    'Three lows, the middle one lowest, under a line through the highs between them. A close above the line confirms a rise. Without volume the break often fails.',
    'headandshoulders triplebottom doublebottom',
  ],
  doubletop: [
    'Two highs at about the same price with a low between them. A close below that low confirms it. In a rising trend most pairs of highs do not become one.',
    'doublebottom tripletop headandshoulders',
  ],
  doublebottom: [
    'Two lows at about the same price with a high between them. A close above that high confirms it. The second low may be slightly lower.',
    'doubletop triplebottom inverseheadandshoulders',
  ],
  tripletop: [
    'Three highs near one price and a close below the lows between. The break below the lows says that sellers have won. Authors differ on whether three touches make it more reliable than two.',
    'doubletop rectangle triplebottom',
  ],
  triplebottom: [
    'Three lows near one price and a close above the highs between. It is rarer than the double bottom.',
    'doublebottom rectangle tripletop',
  ],
  triangleascending: [
    'A flat upper line and rising lows: buyers pay more each time. A close above the line is the usual end. A fair share breaks down instead.',
    'triangledescending wedgerising',
  ],
  triangledescending: [
    'A flat lower line and falling highs: sellers accept less each time. A close below the line is the usual end.',
    'triangleascending wedgefalling',
  ],
  trianglesymmetricalbullish: [
    'Falling highs and rising lows that meet, broken upwards. The break shows the side that won; before it there is no telling.',
    'trianglesymmetricalbearish pennantbullish',
  ],
  trianglesymmetricalbearish: [
    'Falling highs and rising lows that meet, broken downwards. The break shows the side that won; before it there is no telling. Breaks near the tip are weak.',
    'trianglesymmetricalbullish pennantbearish',
  ],
  wedgerising: [
    'Two rising lines that come together, broken downwards: a rise that loses strength. It may take long before it breaks.',
    'wedgefalling channelup',
  ],
  wedgefalling: [
    'Two falling lines that come together, broken upwards: a fall that loses strength. The target is the start of the wedge. It may take long before it breaks.',
    'wedgerising channeldown',
  ],
  rectangle: [
    'Highs and lows between two flat lines until one is broken. The side of the break gives the direction and the height the target. False breaks are common.',
    'consolidation tripletop',
  ],
  channelup: [
    'Highs and lows along two parallel rising lines. The lines serve as targets while it holds. A break of the lower line ends it.',
    'channeldown stddevchannel',
  ],
  channeldown: [
    'Highs and lows along two parallel falling lines. While it holds, the upper line is a place to sell. A break of it ends the channel, often after a false one.',
    'channelup stddevchannel',
  ],
  flagbullish: [
    'A steep rise, a short drift down between parallel lines, and a break upwards. The rise is expected to repeat. What is steep is relative to volatility.',
    'pennantbullish channeldown flagbearish',
  ],
  flagbearish: [
    'A steep fall, a short drift up between parallel lines, and a break downwards. The fall is expected to repeat. What is steep is relative to volatility, and noise as large as a tenth of the flag hides one flag in four.',
    'pennantbearish channelup flagbullish',
  ],
  pennantbullish: [
    'A steep rise and a small triangle that breaks upwards. It is a flag with lines that meet, and is traded like one. Small triangles are found in any noise.',
    'flagbullish trianglesymmetricalbullish pennantbearish',
  ],
  pennantbearish: [
    'A steep fall and a small triangle that breaks downwards. The fall is expected to repeat. Small triangles are found in any noise.',
    'flagbearish trianglesymmetricalbearish pennantbullish',
  ],
  cupandhandle: [
    'A rounded low, a return to the old high, a small setback, and a close above. It takes weeks on daily charts. Short timeframes have cups everywhere.',
    'roundingbottom inversecupandhandle',
  ],
  inversecupandhandle: [
    'The cup turned over: a rounded high, a small rise, and a close below. It is rarer and less tested.',
    'cupandhandle roundingtop',
  ],
  roundingbottom: [
    'A slow turn from fall to rise in the shape of a bowl. It shows patient buying. It is seen only when it is nearly complete.',
    'cupandhandle roundingtop',
  ],
  roundingtop: [
    'A slow turn from rise to fall in the shape of a dome. It shows patient selling. It is seen only when it is nearly complete.',
    'roundingbottom inversecupandhandle',
  ],
  abcd: [
    'Two legs of equal length with a setback between. At its end a turn is expected. Equal legs occur by chance quite often.',
    'gartley threedrives',
  ],
  gartley: [
    'Five points with fixed Fibonacci ratios; the last lies at 78.6 percent of the first leg. A turn is expected there. With tolerances wide enough, any swing fits some pattern.',
    'bat butterfly abcd',
  ],
  bat: [
    'Five points like a Gartley whose last lies at 88.6 percent of the first leg. It needs a deeper return and a closer stop.',
    'altbat gartley',
  ],
  altbat: [
    'A bat whose last point lies beyond the start of the first leg, at 113 percent. It catches failed bats. Of all these patterns its second point has the narrowest place, 0.382 with a tolerance that is a share of it, so noise hides it more often than the others.',
    'bat',
  ],
  butterfly: [
    'Five points whose last lies beyond the first leg, at 127 to 141 percent of it. It looks for turns at new extremes.',
    'crab gartley',
  ],
  crab: [
    'Five points whose last lies at 161.8 percent of the first leg. It is the most stretched of the common ones.',
    'deepcrab butterfly',
  ],
  deepcrab: [
    'A crab whose second point lies deep, at 88.6 percent of the first leg. A turn is expected at 161.8 percent. Few markets make one.',
    'crab',
  ],
  shark: [
    "Five points with an expansion beyond the start, after Carney's later work. Its turn is said to be short.",
    'cypher crab',
  ],
  cypher: [
    'Five points in which the third passes the first leg, to 127.2 to 141.4 percent of it, and the last lies at 78.6 percent of the way back to the start. Rare with tight tolerances.',
    'shark gartley',
  ],
  threedrives: [
    'Three pushes in one direction with equal ratios of steps and setbacks. A turn is expected after the third. It resembles a rising or falling wedge.',
    'abcd wedgerising',
  ],
  wolfewave: [
    'Five points in a narrowing wedge, of which the last passes the line of the first and third. A line from the first and fourth gives the target. It must be symmetric in time.',
    'wedgefalling threedrives',
  ],
}
