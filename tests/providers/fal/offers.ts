import { specifiedModels } from '../../catalog/models/specified-models'
import { openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

type Document = { components: { examples: Record<string, { value: unknown }> } }
type Model = { id: string; available: boolean; modes: Record<string, unknown> }

/** With fal's words in force the whole reference holds together: each model is there, in the modes that fal has, and each example is a request that is taken. */
export async function proveOffers(report: Report): Promise<void> {
  const { api } = await openAccount()
  const models = async () => (JSON.parse((await api.get('/models')).text) as { data: Model[] }).data
  const modesOf = async (id: string) => Object.keys((await models()).find(model => model.id === id)?.modes ?? {})
  await until('the offers to be in force', async () => !(await modesOf('eta-2.5')).includes('media-to-video'))
  report.check('a model keeps the modes that fal has', (await modesOf('eta-2.5')).join() === 'text-to-video,image-to-video')
  report.check('no model of the contract is missing', (await models()).length === specifiedModels.length)

  const answer = await fetch(new URL('/openapi.json', settings.url))
  const { components } = (await answer.json()) as Document
  const examples = Object.entries(components.examples)
  for (const [name, { value }] of examples) {
    const { status, text } = await api.estimate(value)
    report.check(`the example ${name} is taken`, status === 200, `${status} ${text}`)
  }
  report.figure('offers.examples', examples.length)
}
