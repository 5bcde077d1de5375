import { plain } from './plain'
import type { Terminal } from './terminal'

/** How far a task is; `percent` where the provider tells it. */
export type Step = { phase: string; percent?: number }
export type ProgressLine = { show(step: Step): void; end(): void }

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 120
const barCells = 20

/** One line that is drawn again on a terminal; elsewhere a plain line for each new phase. Nothing moves without a terminal. */
export function startProgress(terminal: Terminal, now: () => number = Date.now): ProgressLine {
  return terminal.canRedraw ? drawnProgress(terminal, now) : plainProgress(terminal)
}

function plainProgress(terminal: Terminal): ProgressLine {
  let shown = ''
  return {
    show: ({ phase }) => {
      if (phase !== shown) terminal.note(plain(phase))
      shown = phase
    },
    end: () => {},
  }
}

function drawnProgress(terminal: Terminal, now: () => number): ProgressLine {
  const startedAt = now()
  let step: Step = { phase: 'waiting' }
  let frame = 0
  const draw = () => {
    frame = (frame + 1) % frames.length
    const seconds = Math.floor((now() - startedAt) / 1_000)
    const line = `${frames[frame]} ${plain(step.phase)}${step.percent === undefined ? '' : ` ${bar(step.percent)}`} ${seconds} s`
    terminal.draw(`\r\u001b[K${line.slice(0, Math.max(10, terminal.columns - 1))}`)
  }
  const timer = setInterval(draw, frameMs)
  return {
    show: next => {
      step = next
      draw()
    },
    end: () => {
      clearInterval(timer)
      terminal.draw('\r\u001b[K')
    },
  }
}

export function bar(percent: number): string {
  const shown = Math.round(Math.min(100, Math.max(0, percent)))
  const full = Math.round((shown / 100) * barCells)
  return `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${shown} %`
}
