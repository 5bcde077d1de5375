import { expect, test } from 'bun:test'
import pino from 'pino'
import { metricsText } from '../../telemetry/metrics'
import { createHold } from './hold'

test('a cause that no longer holds a group is shown as 0, so that its alert ends', async () => {
  const hold = createHold('held-once', pino({ level: 'silent' }))
  const shown = async () =>
    Object.fromEntries(
      [...(await metricsText()).matchAll(/^bus_consumer_held\{group="held-once",cause="(\w+)"\} (\d)$/gm)].map(([, ...pair]) => pair),
    )
  expect(await shown()).toEqual({ none: '0' })
  hold.failed(Object.assign(new Error('refused'), { code: '28P01' }), 1)
  expect(await shown()).toEqual({ none: '0', '28P01': '1' })
  hold.failed(Object.assign(new Error('down'), { code: '57P03' }), 1)
  expect(await shown()).toEqual({ none: '0', '28P01': '0', '57P03': '1' })
  hold.passed()
  expect(await shown()).toEqual({ none: '0', '28P01': '0', '57P03': '0' })
})
