/** What is wrong with a database, in words that go on from its name. */
type DatabaseProblem =
  | 'does not answer'
  | 'has no room left'
  | 'is locked by another process'
  | 'cannot be read or written';

/**
 * The database cannot be used at the moment. Where it is `untouched`, the last statement was certainly not carried
 * out, nor the transaction around it; otherwise that is not known.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly problem: DatabaseProblem;
  readonly untouched: boolean;

  constructor(
    message: string,
    { cause, problem, untouched }: { cause: unknown; problem: DatabaseProblem; untouched: boolean },
  ) {
    super(message, { cause });
    this.problem = problem;
    this.untouched = untouched;
  }
}
