import { createReport, type Report } from '../support/report'
import { proveAgreement } from './agreement'
import { readCall } from './arguments'
import { proveCharges } from './charges'
import { proveClients } from './clients/prove-clients'
import { proveDescription } from './description'
import { proveNewCard } from './new-card'
import { provePage } from './page/prove-page'
import { proveSpeed } from './speed'
import { proveTable } from './table'

/** `bun run test:catalog [part …]`: the contract's tables, an independent validator, charges, the API description, clients made of it, its page, a new card, speed. */
const parts: Record<ReturnType<typeof readCall>[number], (report: Report) => Promise<void>> = {
  table: proveTable,
  agreement: proveAgreement,
  charges: proveCharges,
  description: proveDescription,
  clients: proveClients,
  page: provePage,
  'new-card': proveNewCard,
  speed: proveSpeed,
}

const report = createReport('catalog')
for (const name of readCall(process.argv.slice(2))) {
  const startedAt = performance.now()
  console.log(`${name} …`)
  await parts[name](report).catch((error: unknown) =>
    report.check(`${name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
  )
  report.figure(`${name}.seconds`, (performance.now() - startedAt) / 1_000)
}
process.exit(report.finish())
