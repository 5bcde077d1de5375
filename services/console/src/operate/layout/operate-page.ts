import type { Html } from '@filmgate/kit/http/html'
import { type Notice, page } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { operateMenu, type Section } from './menu'

type View = { operator: Operator; section: Section; title: string; content: Html; notice?: Notice | undefined; scripts?: string[] }

export const operatePage = ({ operator, section, title, content, notice, scripts = [] }: View): string =>
  page({ title, person: operator.person, side: operateMenu(operator, section), content, scripts, ...(notice && { notice }) })
