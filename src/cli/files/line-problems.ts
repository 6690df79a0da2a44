/** Why a line of a named file cannot be used. */
export interface LineProblem {
  readonly file: string
  readonly line: number
  readonly text: string
}

interface FoundProblem extends Omit<LineProblem, 'file'> {
  readonly file: number
}

/** What is wrong with the lines of files: all problems are counted, and the first `most` by file and line are remembered. */
export class LineProblems {
  readonly #most: number
  readonly #names: string[] = []
  #first: FoundProblem[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Adds the next file, and answers its index. */
  addFile(name: string): number {
    return this.#names.push(name) - 1
  }

  nameOf(file: number): string {
    return this.#names[file] as string
  }

  add(file: number, line: number, text: string): void {
    this.#count++
    this.#first.push({ file, line, text })
    if (this.#first.length >= 2 * this.#most) this.#forgetRest()
  }

  /** The first ones, by file and line. */
  get first(): LineProblem[] {
    this.#forgetRest()
    return this.#first.map(problem => ({ ...problem, file: this.nameOf(problem.file) }))
  }

  #forgetRest(): void {
    this.#first.sort((a, b) => a.file - b.file || a.line - b.line)
    this.#first = this.#first.slice(0, this.#most)
  }
}
