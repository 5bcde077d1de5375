import { blocks, prose } from '../markdown/write'
import type { DocPage } from '../site/doc-page'
import { propertyTable, type Schemas, shownSchemas, typeWords } from './schema-words'

const summary = 'What requests and answers are made of: every object with its properties.'

export const objectsPage = (schemas: () => Schemas): DocPage => ({
  path: '/docs/objects',
  title: 'Objects',
  section: 'Reference',
  summary,
  markdown: () =>
    blocks(
      '# Objects',
      summary,
      'Answers have exactly these properties; `details` of an error alone may gain others. The shapes of generations are on the pages of their models.',
      ...shownSchemas(schemas()).flatMap(([name, schema]) => [
        `## ${name}`,
        prose(String(schema.description ?? '')),
        Object.keys(schema.properties ?? {}).length > 0 ? propertyTable(schema, schemas()) : typeWords(schema),
      ]),
    ),
})
