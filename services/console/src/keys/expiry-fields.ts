import { type Html, html } from '@filmgate/kit/http/html'
import { field } from '../layout/field'
import { expiries } from './expiry'

type Shown = { expires: string; date: string; issues?: { expires?: string; date?: string } }

/** When a new key ends; the date is shown where it is chosen. */
export const expiryFields = ({ expires, date, issues = {} }: Shown): Html => html`<div class="expiry"><label for="expires">Expires</label>
<select id="expires" name="expires"${issues.expires !== undefined && html` aria-invalid="true" aria-describedby="expires-issue"`}>
${expiries.map(({ value, words }) => html`<option value="${value}"${value === expires && html` selected`}>${words}</option>`)}
</select>
${issues.expires !== undefined && html`<p class="issue" id="expires-issue">${issues.expires}</p>`}</div>
<div class="on-date">${field({ name: 'date', label: 'On this date', type: 'date', value: date, hint: 'It works to the end of that day, UTC.', issue: issues.date })}</div>`
