import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isReleaseBuild } from '@filmgate/kit/environment/release'
import { busVariables, sampleMediaVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import { ConfigError, integer, optional, readVariables, text } from '@filmgate/kit/environment/variables'

/** models/ and prices/ are next to src/ and dist/. */
const ownFolder = join(import.meta.dir, '..')

export type Config = ReturnType<typeof readConfig>

/** Parses the environment once. A named folder or file that doesn't exist is a fault. */
export function readConfig(env: Record<string, string | undefined>, release: boolean = isReleaseBuild) {
  const config = readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    ...sampleMediaVariables(release),
    port: ['PORT', integer({ min: 0, max: 65535, fallback: 4102 })],
    /** A folder of additional cards. */
    extraCardsDir: ['FILMGATE_CARDS_DIR', optional(text())],
    /** Overrides parts of the price book. */
    pricesFile: ['FILMGATE_PRICES_FILE', optional(text())],
    /** Interval of file checks. Mounted folders change by swapping a link, which watchers miss. */
    checkFilesEveryMs: ['CATALOG_LOOK_EVERY_MS', integer({ min: 50, max: 60_000, fallback: 1_000 })],
  })
  const named = { FILMGATE_CARDS_DIR: config.extraCardsDir, FILMGATE_PRICES_FILE: config.pricesFile }
  const faults = Object.entries(named).flatMap(([name, path]) =>
    path && !existsSync(path) ? [`${name} names ${path}, which doesn't exist`] : [],
  )
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

type FileSettings = Partial<Pick<Config, 'extraCardsDir' | 'pricesFile' | 'sampleMediaOrigins'>>

export const catalogFiles = ({ extraCardsDir, pricesFile, sampleMediaOrigins = [] }: FileSettings) => ({
  cardDirs: [join(ownFolder, 'models'), ...(extraCardsDir ? [extraCardsDir] : [])],
  priceFiles: [join(ownFolder, 'prices', 'list-prices.yaml'), ...(pricesFile ? [pricesFile] : [])],
  privateOrigins: sampleMediaOrigins,
})
