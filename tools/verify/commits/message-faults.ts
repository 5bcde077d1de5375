export type Commit = { hash: string; subject: string; body: string }

export const subjectCharactersMax = 72
/** An area is a service, a folder or a suite, in one or two words; several stand behind commas. */
const subjectForm = /^[\w./-]+( [\w./-]+)?(, [\w./-]+( [\w./-]+)?)*: \S/
const trailer = /^[A-Z][A-Za-z-]*-(by|By|Id): /

/** What is wrong with the messages of commits: CONTRIBUTING.md, "How the code is laid out". */
export const messageFaults = (commits: Commit[]): string[] =>
  commits.flatMap(({ hash, subject, body }) => {
    const length = [...subject].length
    const says = body.split('\n').some(line => line.trim() !== '' && !trailer.test(line))
    return [
      ...(subjectForm.test(subject) ? [] : ['the subject is not `area: what`']),
      ...(length <= subjectCharactersMax ? [] : [`the subject has ${length} characters, at most ${subjectCharactersMax} are read`]),
      ...(says ? [] : ['the body does not say why']),
    ].map(fault => `${hash} ${subject}: ${fault}`)
  })
