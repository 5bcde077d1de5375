import type { Report } from '../../support/suite/report'
import { withBrowser } from '../browser'
import { openVisitor } from '../visitor'

/** What makes markup or code of a text, with what the browser has to say to it. */
const attempts = {
  innerHTML: "document.body.innerHTML = '<img src=x onerror=alert(1)>'",
  'a string as a timer': "setTimeout('alert(1)')",
  'the source of a script': "document.createElement('script').src = '/assets/x.js'",
  'another policy': "trustedTypes.createPolicy('another', { createHTML: text => text })",
  'the same policy again': "trustedTypes.createPolicy('console', { createHTML: text => text })",
}

/** A page takes markup from its scripts by their one policy only, whoever writes the next script. */
export const proveTrustedMarkup = (report: Report): Promise<void> =>
  withBrowser(report, 'attacks', async devtools => {
    const visitor = await openVisitor(devtools, { width: 1_280, scheme: 'light' })
    for (const [name, expression] of Object.entries(attempts)) {
      const refusal = await visitor.tab.evaluate<string>(`(() => { try { ${expression} } catch (error) { return error.name } })()`)
      report.check(`a page refuses ${name}`, refusal === 'TypeError', String(refusal))
    }
    await visitor.close()
  })
