import type { Catalog } from '../../catalog/catalog-table'
import type { Schema } from '../../rules/json-schema'
import { answerExamples } from './answer-examples'
import { exampleOf } from './example-of'
import { headers } from './headers'
import { paths } from './paths'
import { accountSchemas } from './schemas/account'
import { errorSchemas } from './schemas/errors'
import { modelSchemas } from './schemas/models'
import { openAiSchemas } from './schemas/openai'
import { requestSchemas } from './schemas/requests'
import { ref } from './schemas/shape'
import { taskSchemas } from './schemas/tasks'
import { uploadSchemas } from './schemas/uploads'
import { webhookSchemas } from './schemas/webhooks'
import { tags } from './tags'

const description = `Asynchronous video generation, paid by credits. A client is charged once for a video it can fetch, or gets its credits back, or is told that the answer is not known yet.

Answers have exactly the properties that are described here. A \`default\` is said in words: left out of a schema it makes no generator call the property required.`

/** The API as an OpenAPI 3.1 document: request shapes, prices and examples are made from the cards. */
export function openApi(catalog: Catalog) {
  const examples = requestExamples(catalog)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filmgate',
      version: '1.1',
      summary: 'One HTTP API in front of many video providers.',
      description,
      contact: { name: 'Filmgate', url: 'https://github.com/filmgate/filmgate' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      'x-catalog-version': catalog.version,
      'x-price-version': catalog.priceVersion,
    },
    servers: [{ url: '/api/v1', description: 'The host that this document is from.' }],
    security: [{ apiKey: [] }],
    tags: Object.values(tags),
    paths: paths(requestBody(Object.keys(examples)), answerExamples(catalog)),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk_live_…`.' } },
      headers,
      examples,
      schemas: {
        ...requestSchemas(catalog),
        ...taskSchemas,
        ...uploadSchemas,
        ...accountSchemas,
        ...modelSchemas,
        ...webhookSchemas,
        ...openAiSchemas,
        ...errorSchemas,
      } as Record<string, Schema>,
    },
  }
}

/** One of each model and mode, such as `alpha-h3.text-to-video`. */
const requestExamples = ({ models }: Catalog): Record<string, { summary: string; value: unknown }> =>
  Object.fromEntries(
    [...models.values()].flatMap(({ id, card }) =>
      card.modes.map(mode => [`${id}.${mode.name}`, { summary: `${id}, ${mode.name}`, value: exampleOf(card, mode) }]),
    ),
  )

const requestBody = (examples: string[]): Schema => ({
  required: true,
  description: 'What to generate.',
  content: {
    'application/json': {
      schema: ref('VideoGenerationRequest'),
      examples: Object.fromEntries(examples.map(name => [name, { $ref: `#/components/examples/${name}` }])),
    },
  },
})
