import { invariant } from '@filmgate/kit/failure'
import type { RuleRequest } from '../behaviour/behaviour'
import { choose, type Rule, type Submitted } from '../behaviour/choose'
import { type Fake, type Generation, type GenerationError, isFinished, type Status, transition } from './generation'
import { type JournalEntry, openJournal, readJournal, rewriteJournal, type Submit } from './journal'

export type GenerationStore = ReturnType<typeof openGenerationStore>

type Known = {
  generations: Map<string, Generation>
  byClientTaskId: Map<string, Generation>
  rules: Map<string, Rule>
  submits: Submit[]
}

/** All the simulator knows, in memory, with the journal behind it. */
export function openGenerationStore({ journalPath, now, retentionMs }: { journalPath: string; now: () => number; retentionMs: number }) {
  const known: Known = { generations: new Map(), byClientTaskId: new Map(), rules: new Map(), submits: [] }
  const { generations, byClientTaskId, rules } = known

  /** Forgets finished generations past the retention; returns their ids, whose outputs go with them. */
  function forgetOld(): string[] {
    const oldest = now() - retentionMs
    const gone = [...generations.values()].filter(one => isFinished(one) && one.updatedAt < oldest)
    for (const { id, clientTaskId } of gone) {
      generations.delete(id)
      if (clientTaskId) byClientTaskId.delete(clientTaskId)
    }
    known.submits = known.submits.filter(({ at }) => at >= oldest)
    return gone.map(({ id }) => id)
  }

  for (const entry of readJournal(journalPath)) apply(known, entry)
  forgetOld()
  // A generation that was being rendered when the process died is queued again.
  for (const generation of generations.values()) if (generation.status === 'running') generation.status = 'queued'
  rewriteJournal(journalPath, [
    ...[...rules.values()].map(rule => ({ kind: 'ruled', rule }) as const),
    ...known.submits.map(submit => ({ kind: 'submitted', submit, ruleId: null }) as const),
    ...[...generations.values()].map(generation => ({ kind: 'accepted', generation }) as const),
  ])
  const journal = openJournal(journalPath)

  function record(entry: JournalEntry): void {
    journal.append(entry)
    apply(known, entry)
  }

  return {
    find: (id: string) => generations.get(id),
    findByClientTaskId: (clientTaskId: string) => byClientTaskId.get(clientTaskId),
    /** Of one format, newest first. */
    ofFake: (name: Fake['name']) => [...generations.values()].filter(one => one.fake?.name === name).reverse(),
    /** The newest one that isn't this. */
    another: (id: string) => [...generations.keys()].findLast(one => one !== id),
    unfinished: () => [...generations.values()].filter(one => !isFinished(one)),
    accept: (generation: Generation) => record({ kind: 'accepted', generation }),
    transition(id: string, status: Status, error: GenerationError | null = null): Generation {
      record({ kind: 'moved', id, status, error, at: now() })
      const generation = generations.get(id)
      invariant(generation, `generation ${id} is known`)
      return generation
    },
    release: (id: string) => record({ kind: 'released', id }),
    /** Takes a turn of the rule that fits, if one does. The turn is written with the submit's answer. */
    choose: (submitted: Submitted) => choose(rules.values(), submitted),
    recordSubmit(submit: Submit, ruleId: string | null): void {
      journal.append({ kind: 'submitted', submit, ruleId })
      known.submits.push(submit)
    },
    submits: (wanted: (submit: Submit) => boolean) => known.submits.filter(wanted),
    addRule(id: string, request: RuleRequest): Rule {
      const rule: Rule = { ...request, id, left: request.times ?? null }
      record({ kind: 'ruled', rule: { ...rule } })
      return rule
    },
    rules: () => [...rules.values()],
    deleteRules: (id: string | null) => record({ kind: 'unruled', id }),
    forgetOld,
    close: () => journal.close(),
  }
}

/** What an entry of the journal changes in what is known. */
function apply({ generations, byClientTaskId, rules, submits }: Known, entry: JournalEntry): void {
  switch (entry.kind) {
    case 'submitted': {
      submits.push(entry.submit)
      const rule = entry.ruleId ? rules.get(entry.ruleId) : undefined
      if (rule && rule.left !== null && rule.left > 0) rule.left -= 1
      return
    }
    case 'accepted':
      generations.set(entry.generation.id, entry.generation)
      if (entry.generation.clientTaskId) byClientTaskId.set(entry.generation.clientTaskId, entry.generation)
      return
    case 'moved': {
      const generation = generations.get(entry.id)
      if (generation) transition(generation, entry.status, entry.at, entry.error)
      return
    }
    case 'released': {
      const generation = generations.get(entry.id)
      if (generation) generation.behaviours = generation.behaviours.filter(({ name }) => name !== 'never_finishes' && name !== 'slow')
      return
    }
    case 'ruled':
      rules.set(entry.rule.id, entry.rule)
      return
    case 'unruled':
      if (entry.id === null) rules.clear()
      else rules.delete(entry.id)
  }
}
