import { type Command, Option } from 'commander'
import { connect, type Session } from '../session'
import { usageFailure } from '../terminal/failure'
import { table } from '../terminal/terminal'
import { csv } from './csv'
import type { Run } from './run'

export function addAccount(program: Command, run: Run): void {
  program.command('credits').description('the paid balance').action(run(credits))
  program
    .command('usage')
    .description('what was spent: summed by day and model, or by what --by names; records with --records')
    .option('--since <day>', 'from this day (UTC) or moment; 30 days ago if left out')
    .option('--until <day>', 'before this day (UTC) or moment')
    .option('--by <dimensions>', 'day, model, key and one tag:NAME, separated by commas')
    .option('--model <id>', 'of this model only')
    .addOption(new Option('--records', 'each movement of credits, newest first').conflicts('by'))
    .option('--csv', 'as CSV')
    .action(run(usage))
  program
    .command('keys')
    .description('the key in force: its limits, budgets and spend')
    .addHelpText(
      'after',
      '\nKeys are made, bound, rotated and revoked in the console, under API keys. `filmgate login` makes one for this machine.',
    )
    .action(run(keys))
}

async function credits(session: Session): Promise<void> {
  const { filmgate } = await connect(session)
  const balance = await filmgate.credits({ signal: session.signal })
  session.terminal.printJson(balance)
  session.terminal.print(String(balance.available_credits))
}

type UsageOptions = { since?: string; until?: string; by?: string; model?: string; records?: boolean; csv?: boolean }
type Row = Record<string, unknown>
const sums = ['generations', 'refunds', 'billed_seconds', 'credits_used', 'credits_refunded', 'credits_net']
const recordColumns = [
  'created_at',
  'kind',
  'task_id',
  'change_id',
  'model',
  'mode',
  'resolution',
  'billed_seconds',
  'credits',
  'balance_after',
]
const recordColumnsOfCsv = [...recordColumns, 'price_version', 'breakdown', 'surface', 'key_id', 'tags']

async function usage(session: Session, { since, until, by, model, records, csv: asCsv }: UsageOptions): Promise<void> {
  const { terminal, signal } = session
  if (asCsv && terminal.json) throw usageFailure('--csv and --json exclude each other.')
  const { filmgate } = await connect(session)
  const span = { from: since, to: until, model, signal }
  const answer = records ? await allRecords(filmgate.usage.list({ ...span, limit: 500 })) : await filmgate.usage.summary({ ...span, by })
  terminal.printJson(answer)
  const dimensions = (by ?? 'day,model').split(',').map(name => (name === 'key' ? 'key_id' : name.replace(/:.*/, '')))
  const columns = !records ? [...dimensions, ...sums] : asCsv ? recordColumnsOfCsv : recordColumns
  const rows = (answer.data as Row[]).map(row => columns.map(name => row[name]))
  if (asCsv) terminal.print(`${csv([columns, ...rows])}\r`)
  else if (rows.length === 0) terminal.note('Nothing was spent in this span.')
  else terminal.print(table([columns, ...rows]))
}

async function allRecords(list: AsyncIterable<object>) {
  const data: object[] = []
  for await (const record of list) data.push(record)
  return { object: 'list', data }
}

async function keys(session: Session): Promise<void> {
  const { terminal, signal } = session
  const { filmgate } = await connect(session)
  const key = await filmgate.key({ signal })
  terminal.printJson(key)
  const { limits, spend, budgets } = key
  const rows = [
    ['key', `${key.prefix}… (${key.name})`],
    ['id', key.key_id],
    ['made', key.created_at],
    ['ends', key.expires_at ?? 'never'],
    ['limits', `${limits.requests_per_minute} requests a minute, ${limits.unfinished_tasks} unfinished tasks`],
    ['models', limits.models?.join(', ') ?? 'all'],
    ['addresses', limits.addresses?.join(', ') ?? 'all'],
    ['spent', `${spend.today_credits} credits today, ${spend.month_credits} this month`],
    ...budgets.map(({ budget, period, left_credits: left, max_credits: max }) => [
      `budget`,
      `${budget}, ${period}: ${left} of ${max} credits left`,
    ]),
  ]
  terminal.print(table(rows))
  terminal.note('Keys are made in the console, under API keys.')
}
