import { type Html, html } from '@filmgate/kit/http/html'
import { reasons } from '../../errors'
import { publicCodes, taskOnlyCodes } from '../open-api/error-codes'
import { detailNames } from '../open-api/error-details'
import { errorExample } from '../open-api/error-examples'
import { code, heading, table } from './headings'

/** The closed list of codes, with what `details` holds beside each. */
export const errorSection = (): Html => html`
${heading(2, 'errors', 'Errors')}
<p>Every error has one shape, <a href="#ErrorResponse">ErrorResponse</a>, and <code>code</code> is one of these. <code>details.issues</code> names every
fault of a request at once. Every answer carries an <code>X-Request-Id</code>: tell it when you ask us about one.</p>
${code(JSON.stringify(errorExample('invalid_request'), null, 2), 'An error')}
${table(
  'Error codes',
  ['Code', 'Status', 'Meaning', 'Details'],
  [
    ...publicCodes.map(name => ({
      id: `error-${name}`,
      cells: [
        html`<code>${name}</code>`,
        reasons[name][0],
        reasons[name][1],
        html`${detailNames(name).map((detail, index) => html`${index > 0 && ', '}<code>${detail}</code>`)}`,
      ],
    })),
    ...Object.entries(taskOnlyCodes).map(([name, words]) => ({
      id: `error-${name}`,
      cells: [html`<code>${name}</code>`, 'task', words, ''],
    })),
  ],
)}
<p class="soft">Where the status is "task" the code is only met as <code>error.code</code> of a failed task.</p>`
