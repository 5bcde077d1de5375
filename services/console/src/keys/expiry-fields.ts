import { type Html, html } from '@filmgate/kit/http/html'
import { field } from '../layout/field'
import { expiries } from './expiry'

type View = { expires: string; date: string; issues?: { expires?: string; date?: string } }

/** The expiry of a new key. The date field is shown only for a custom date. */
export const expiryFields = ({ expires, date, issues = {} }: View): Html => html`<div class="expiry"><label for="expires">Expires</label>
<select id="expires" name="expires"${issues.expires !== undefined && html` aria-invalid="true" aria-describedby="expires-issue"`}>
${expiries.map(({ value, label }) => html`<option value="${value}"${value === expires && html` selected`}>${label}</option>`)}
</select>
${issues.expires !== undefined && html`<p class="issue" id="expires-issue">${issues.expires}</p>`}</div>
<div class="on-date">${field({ name: 'date', label: 'On this date', type: 'date', value: date, hint: 'The key works until the end of that day (UTC).', issue: issues.date })}</div>`
