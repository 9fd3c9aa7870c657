/** For how many days what is kept. */
export interface Retention {
  /** What is over: requests, what a server has used, and its audit log. */
  history: number;
  /** A picture that waits for its member. */
  waiting: number;
}
