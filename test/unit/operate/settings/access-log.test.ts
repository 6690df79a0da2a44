import { expect, it, vi } from 'vitest'
import { AccessLog } from '../../../../src/operate/settings/access-log.js'

const line = {
  ...{ time: '2025-11-21T00:00:00.000Z', id: undefined, account: 'ann', method: 'GET' },
  ...{ route: '/candles', status: 200, ms: 1.5, bytes: 20 },
}

// Writing to this device fails as on a full disk.
it('drops and counts lines beyond its memory where the disk is full, and says so once', async () => {
  const warn = vi.fn()
  const onDropped = vi.fn()
  const log = new AccessLog('/dev/full', { info() {}, warn, error() {} }, onDropped)
  const bytes = JSON.stringify(line).length + 1
  const count = 60_000
  for (let at = 0; at < count; at++) log.add(line)
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0)
  log.add(line)
  await log.close()
  expect(onDropped).toHaveBeenCalledTimes(count + 1 - Math.floor((4 * 2 ** 20) / bytes))
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn).toHaveBeenCalledWith(
    { err: expect.objectContaining({ code: 'ENOSPC' }) },
    'the access log cannot be written',
  )
})
