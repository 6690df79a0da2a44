// Loaded before a service, and in each of its threads, by `node --import`: sets its clock by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const { now } = Date
Date.now = () => now() + shiftMs
