/** Where a word is searched: code names, file names, or prose (comments, quoted texts, documents). */
export type Sense = 'name' | 'file' | 'prose'

export type DroppedWord = {
  word: string
  /** The replacement; docs/glossary.md defines it. */
  use: string
  sense: Sense
  /** Matches a whole name or path, or any part of prose. */
  pattern: RegExp
  /** The files in which it is forbidden; all files if absent. */
  within?: RegExp
}

const services = /^services\//
const dispatcher = /^services\/dispatcher\//
const ours = /^(services|tools|tests)\//

/** All words that a glossary term replaced. */
export const droppedWords: DroppedWord[] = [
  { word: 'maker', use: 'provider', sense: 'name', pattern: /[mM]aker(?!Note)/ },
  { word: 'maker', use: 'provider', sense: 'file', pattern: /maker(?!.*\.sql$)/ },
  { word: 'maker', use: 'provider', sense: 'prose', pattern: /\b[mM]akers?\b/ },
  {
    word: 'line, followLine',
    use: 'consumers, pipeline',
    sense: 'name',
    pattern: /^(followLine|lineOpen|Line(Deps|Event)?|bareLine.*)$/,
    within: ours,
  },
  {
    word: 'line',
    use: 'consumers.ts',
    sense: 'file',
    pattern: /\/(line|follow-line|start-posting|dispatcher|start-workers)(\.test)?\.ts$/,
    within: services,
  },
  {
    word: 'the line',
    use: 'the pipeline',
    sense: 'prose',
    pattern:
      /\b(down|walks?|of|through|behind|over) the line\b(?! (that|of))|\b(the whole|a running|the running|the bare|a bare) line\b(?! feed)|\bthe line['’]s (?!end)|\b[Tt]he line (goes on|waits|is up|stands)\b/,
  },
  {
    word: 'posting (what starts it)',
    use: 'consumers and workers',
    sense: 'name',
    pattern: /^(startPosting|Posting(Deps|Config)?)$/,
    within: services,
  },
  {
    word: 'accept (a request that is inserted)',
    use: 'recordRequest',
    sense: 'name',
    pattern: /^(createAccept|AcceptDeps)$/,
    within: /^services\/gateway\//,
  },
  {
    word: 'accept (a request that is inserted)',
    use: 'record-request.ts',
    sense: 'file',
    pattern: /^services\/gateway\/src\/generations\/accept(\.test)?\.ts$/,
  },
  {
    word: 'Draft, draft',
    use: 'BookChanges, or what it holds',
    sense: 'name',
    pattern: /^[a-z]*Draft[A-Za-z]*$|^drafts?$/,
    within: services,
  },
  { word: 'draft', use: 'book-changes.ts', sense: 'file', pattern: /\/draft(\.test)?\.ts$/, within: services },
  {
    word: 'begin, begun, begin again',
    use: 'planAttempts, PlannedAttempt, planSuccessor',
    sense: 'name',
    pattern: /^([bB]egun.*|[a-z]+Begun|begin(With|Attempts|Some|Again|OnceRead|Deps)|Begin(Again)?Deps)$/,
    within: dispatcher,
  },
  {
    word: 'begin, begun, begin-again',
    use: 'plan-attempts.ts, plan-successor.ts',
    sense: 'file',
    pattern: /\/(begin|begun|begin-again)(\.test)?\.ts$/,
    within: dispatcher,
  },
  {
    word: 'move, Move',
    use: 'transition',
    sense: 'name',
    pattern: /^([a-z]+Moves?|Moves?|moves?|move[A-Z][A-Za-z]*|checkMove|WriteMoves?|createWriteMove)$/,
    within: dispatcher,
  },
  { word: 'move', use: 'transition', sense: 'file', pattern: /\/(move|move-repository|write-moves)(\.test)?\.ts$/, within: dispatcher },
  {
    word: 'heard, Heard',
    use: 'events, observation, what it holds',
    sense: 'name',
    pattern: /^([Hh]eards?|untold|said|[Aa]bout)$/,
    within: ours,
  },
  { word: 'patienceMs, patient', use: 'lingerMs', sense: 'name', pattern: /^.*([pP]atien(t|ce)).*$/, within: ours },
  { word: 'patient messages', use: 'messages that linger', sense: 'prose', pattern: /\b[Pp]atien(t messages|ce)\b/ },
  { word: 'restMs', use: 'pollIntervalMs', sense: 'name', pattern: /^(restMs|[a-z]+RestMs)$/, within: ours },
  // `Parts` is a field of S3's.
  { word: 'Part (something started)', use: 'Component', sense: 'name', pattern: /^Part$/, within: services },
  { word: 'strike, setStage', use: 'what it does', sense: 'name', pattern: /^(strikes?|setStage)$/, within: services },
  { word: 'letGo, isLetGo', use: 'released, isReleased', sense: 'name', pattern: /^(letGo|isLetGo)$/, within: services },
  {
    word: 'decide.ts that is a transaction',
    use: 'record-decision.ts',
    sense: 'file',
    pattern: /^services\/media-probe\/src\/[a-z-]+\/decide(\.test)?\.ts$/,
  },
]

/** Lines in which the word has another meaning. `contains`: part of the line. */
export const exemptLines: { file: RegExp; contains: string; reason: string }[] = [
  { file: /^tools\/verify\/words\//, contains: '', reason: 'the list itself and its tests' },
  { file: /\/migrations\//, contains: '', reason: 'a migration that ran is never changed' },
  { file: /\/provider-task-id-once\.test\.ts$/, contains: '', reason: 'runs a migration from before the rename' },
  { file: /^tests\/media\/metadata\/pictures\.ts$/, contains: 'maker', reason: 'the word of EXIF for the company that makes a camera' },
  { file: /^charts\/UPGRADING\.md$|^CHANGELOG\.md$/, contains: '`maker`', reason: 'what the word replaced' },
]
