/** SQL of PostgreSQL: the `pid` of each session that waits for the transaction that asks. */
export const WAITERS =
  'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
