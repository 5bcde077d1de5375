import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { answerGeneration } from './answer-generation'
import type { CreateDeps } from './create-generation'

/** POST /video/generations: 202 with a new task, 200 with the task of an Idempotency-Key seen before. */
export const generations = (deps: CreateDeps & AuthenticateDeps) =>
  new Elysia({ name: 'generations', normalize: false }).use(authenticate(deps)).post(
    '/video/generations',
    async function postGeneration({ request, caller, leftMs, set }) {
      return answerGeneration(deps, { request, set, caller, surface: 'api', leftMs })
    },
    { parse: 'none' },
  )
