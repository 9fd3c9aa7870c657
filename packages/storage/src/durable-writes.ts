/** For the commands of one connection, as PostgreSQL names them: whether with this one something written stays. */
export function createDurableWrites(): (command: string) => boolean {
  let isInTransaction = false;
  let hasWritten = false;
  return (command) => {
    if (command === 'BEGIN' || command === 'COMMIT' || command === 'ROLLBACK')
      isInTransaction = command === 'BEGIN';
    if (command === 'INSERT' || command === 'UPDATE' || command === 'DELETE') hasWritten = true;
    if (command === 'ROLLBACK') hasWritten = false;
    if (isInTransaction || !hasWritten) return false;
    hasWritten = false;
    return true;
  };
}
