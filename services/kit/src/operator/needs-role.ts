import type { TSchema } from '@sinclair/typebox'
import { type Role, roles } from '../environment/operator-environment'
import { Failure } from '../failure'
import { takes } from '../request/read-json'
import type { requestReasons } from '../request/reasons'
import { holderOf } from './holder'

/**
 * The options of an operators' route that does something: who holds less than this role is refused (403) before the body is read. With a
 * schema the handler reads the body by `readJsonAs`. The role stands in the list of routes; a route without one keeps its service from starting.
 */
export function needsRole(role: Role, schema?: TSchema) {
  return {
    ...(schema && takes(schema)),
    detail: { ...(schema && takes(schema).detail), 'x-operator-role': role },
    async beforeHandle({ request }: { request: Request }) {
      const holder = holderOf(request)
      if (!holder || !hasRole(holder.role, role))
        throw new Failure<keyof typeof requestReasons>('operator_role_insufficient', {
          details: { needed: role, role: holder?.role ?? null },
        })
      await holder.prove?.(role)
    },
  }
}

export const hasRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
