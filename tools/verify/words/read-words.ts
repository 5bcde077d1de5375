import ts from 'typescript'

export type TextAtLine = { text: string; line: number }

/** Names in code, and sentences in comments and quotes. Documents and SQL have only sentences. */
export type FileTexts = { names: TextAtLine[]; prose: TextAtLine[] }

export function readWords(file: string, text: string): FileTexts {
  if (/\.(ts|js|cjs)$/.test(file)) return readCode(file, text)
  if (/\.(md|proto|yaml)$/.test(file)) return { names: [], prose: linesOf(text, 1) }
  if (/\.sql$/.test(file)) return { names: [], prose: linesOf(text, 1).filter(({ text }) => text.trimStart().startsWith('--')) }
  return { names: [], prose: [] }
}

function readCode(file: string, text: string): FileTexts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const names: TextAtLine[] = []
  const prose: TextAtLine[] = []
  let end = 0
  const visit = (node: ts.Node) => {
    if (ts.isJSDoc(node)) {
      prose.push(...linesOf(node.getText(source), lineAt(node.getStart(source))))
      end = Math.max(end, node.getEnd())
      return
    }
    const children = node.getChildren(source)
    if (children.length > 0) return children.forEach(visit)
    const start = node.getStart(source)
    prose.push(...linesOf(text.slice(end, start), lineAt(end)).filter(({ text }) => text.trim()))
    end = Math.max(end, node.getEnd())
    if (ts.isIdentifier(node) && !isForeign(node)) names.push({ text: node.text, line: lineAt(start) })
    if (ts.isStringLiteral(node) && isModule(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) prose.push(...linesOf(node.text, lineAt(start)))
  }
  visit(source)
  return { names, prose }
}

/** A property access: its declaration is checked where it is ours, and foreign names (`sql.begin`) are exempt. */
const isForeign = (node: ts.Identifier): boolean => ts.isPropertyAccessExpression(node.parent) && node.parent.name === node

const isModule = (node: ts.StringLiteral): boolean => ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)

const linesOf = (text: string, first: number): TextAtLine[] => text.split('\n').map((line, index) => ({ text: line, line: first + index }))
