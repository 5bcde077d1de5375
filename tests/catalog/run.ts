import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { proveAgreement } from './agreement'
import { readCall } from './arguments'
import { proveCharges } from './charges'
import { proveClients } from './clients/prove-clients'
import { proveDeliveries } from './deliveries/prove-deliveries'
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
  deliveries: proveDeliveries,
  description: proveDescription,
  clients: proveClients,
  page: provePage,
  'new-card': proveNewCard,
  speed: proveSpeed,
}

const report = createReport('catalog')
await runParts(report, readCall(process.argv.slice(2)), name => parts[name](report))
process.exit(report.finish())
