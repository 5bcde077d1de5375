import { afterAll, beforeAll, expect, test } from 'bun:test'
import { audit } from '../../../support/operator/operator'
import { deadLetters } from '../../../support/servers/dead-letters'
import { addFigure } from '../../../support/suite/figures'
import { until } from '../../../support/until'
import { ourFaults } from './our-faults'
import { type Alert, type Prometheus, startPrometheus } from './prometheus'
import { providerFaults } from './provider-faults'
import { openShell } from './run-runbook'

const testTimeoutMs = 900_000
const firesMsMax = 180_000
/** The longest window is an hour, and Kafka's clients take a while to come back. */
const endsMsMax = 360_000
const lookEveryMs = 500

let prometheus: Prometheus
beforeAll(async () => {
  prometheus = await startPrometheus()
}, 120_000)
afterAll(async () => {
  await prometheus.stop()
  expect([await deadLetters(), await audit()]).toEqual([[], []])
}, 60_000)

const quiet = () => until('no alert to fire', async () => (await prometheus.firing()).length === 0, endsMsMax, lookEveryMs)

for (const { name, alert, companions = [], inject } of [...ourFaults, ...providerFaults])
  test(
    `${name}: ${alert} fires, no other, and the first command of its runbook shows the cause`,
    async () => {
      await quiet()
      const shell = openShell()
      const seen = new Map<string, Alert>()
      const look = async () => {
        for (const one of await prometheus.firing()) if (!seen.has(one.name)) seen.set(one.name, one)
        return seen.get(alert)
      }
      const startedAt = performance.now()
      const { shows, heal } = await inject(prometheus)
      try {
        const fired = await until(`${alert}, beside ${[...seen.keys()]}`, look, firesMsMax, lookEveryMs)
        const seconds = Math.round((performance.now() - startedAt) / 1_000)
        const { command, output } = await shell.run(fired)
        console.error(`${alert} after ${seconds} s: ${fired.summary}\n  ${command}\n${output.slice(0, 2_000)}`)
        if (!new RegExp(shows).test(output)) throw new Error(`${command} does not show ${shows}`)
        addFigure(`alerts.${alert}.seconds`, seconds)
        addFigure('alerts.fired')
      } finally {
        await heal()
      }
      await until(
        `${alert} to end`,
        async () => {
          await look()
          return (await prometheus.firing()).length === 0
        },
        endsMsMax,
        lookEveryMs,
      )
      expect([...seen.keys()].filter(one => one !== alert && !companions.includes(one))).toEqual([])
    },
    testTimeoutMs,
  )
