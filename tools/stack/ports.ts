export const portBaseDefault = 4100
export const testPortBase = 5100
export const benchPortBase = 7100
export const suitePortBase = 8100

/** Defines all ports. A stack uses at most 40 above its base. */
export const portsFrom = (base: number) => ({
  gateway: base,
  ledger: base + 1,
  catalog: base + 2,
  mediaProbe: base + 3,
  dispatcher: base + 4,
  simulator: base + 5,
  console: base + 6,
  gatewayMetrics: base + 7,
  consoleMetrics: base + 8,
  webhooks: base + 9,
  secondGateway: base + 10,
  secondGatewayMetrics: base + 15,
  postgres: base + 20,
  kafka: base + 21,
  kafkaController: base + 22,
  redis: base + 23,
  s3: base + 24,
  sampleMedia: base + 25,
  mailSmtp: base + 26,
  mailPage: base + 27,
  firstOwnPostgres: base + 30,
})

export type Ports = ReturnType<typeof portsFrom>
