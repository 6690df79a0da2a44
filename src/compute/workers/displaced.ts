/** A task lost its place in the full queue to a client of which less waits. */
export class Displaced extends Error {
  constructor() {
    super('the task was displaced from the queue by another client')
    this.name = 'Displaced'
  }
}
