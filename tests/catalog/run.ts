import { createReport } from '../support/report'
import { proveAgreement } from './agreement'
import { proveCharges } from './charges'
import { proveDescription } from './description'
import { proveNewCard } from './new-card'
import { proveSpeed } from './speed'
import { proveTable } from './table'

/** `bun run test:catalog [part …]`: the contract's tables, an independent validator, charges, the API description, a new card, speed. */
const parts = {
  table: proveTable,
  agreement: proveAgreement,
  charges: proveCharges,
  description: proveDescription,
  'new-card': proveNewCard,
  speed: proveSpeed,
}

const wanted = process.argv.slice(2)
const report = createReport('catalog')
for (const [name, prove] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedAt = performance.now()
  console.log(`${name} …`)
  await prove(report).catch((error: unknown) =>
    report.check(`${name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
  )
  report.figure(`${name}.seconds`, (performance.now() - startedAt) / 1_000)
}
process.exit(report.finish())
