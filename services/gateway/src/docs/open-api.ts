import type { Catalog } from '../catalog/catalog-table'
import { type PublishedRule, publishedRules } from '../models/published-rules'
import type { Schema } from '../models/schema-of-field'
import { schemaOfMode } from '../models/schema-of-mode'
import { answerSchemas } from './answer-schemas'
import { exampleOf } from './example-of'
import { paths } from './operations'

/** The API as an OpenAPI 3.1 document, its request shapes made from the cards. */
export function openApi(catalog: Catalog) {
  const requests = requestSchemas(catalog)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filmgate',
      version: '1.1',
      description:
        'Asynchronous video generation, paid by credits. A client is charged once for a video it can fetch, or gets its credits back, or is told that the answer is not known yet.',
      'x-catalog-version': catalog.version,
      'x-price-version': catalog.priceVersion,
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    paths: paths(requestBody(catalog)),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, sk_live_…' } },
      schemas: {
        VideoGenerationRequest: { anyOf: Object.keys(requests).map(name => ({ $ref: `#/components/schemas/${name}` })) },
        ...requests,
        ...answerSchemas,
      },
    },
  }
}

/** One schema a model and mode, such as `alpha-h3.text-to-video`, with the rules it can't say beside it. */
function requestSchemas({ models, defaultModel }: Catalog): Record<string, Schema> {
  const schemas: Record<string, Schema> = {}
  for (const { id, card } of models.values()) {
    const rules = publishedRules(card)
    for (const mode of card.modes) {
      const own = rules.filter((rule: PublishedRule) => rule.modes.includes(mode.name))
      schemas[`${id}.${mode.name}`] = {
        title: `${id}, ${mode.name}`,
        description: own.map(rule => rule.message).join('. '),
        ...schemaOfMode(card, mode, id === defaultModel),
        'x-rules': own,
      }
    }
  }
  return schemas
}

function requestBody({ models }: Catalog): Schema {
  const examples = [...models.values()].flatMap(({ id, card }) =>
    card.modes.map(mode => [`${id}.${mode.name}`, { summary: `${id}, ${mode.name}`, value: exampleOf(card, mode) }]),
  )
  const schema = { $ref: '#/components/schemas/VideoGenerationRequest' }
  return { required: true, content: { 'application/json': { schema, examples: Object.fromEntries(examples) } } }
}
