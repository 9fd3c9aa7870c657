import { join } from 'node:path';
import { runCommand } from '../../src/operator/command-line.ts';
import { testStorage } from './storage.ts';

/** An operator with a service of their own: `run` is what they type, and resolves with what is printed. */
export async function operator() {
  const storage = await testStorage();
  const env = {
    SERVICE_DATABASE_URL: storage.databaseUrl,
    PICTURES_URL: `file://${join(storage.folder, 'pictures')}`,
    SECRET_KEY: '5'.repeat(64),
  };
  /** The same, with the exit code. */
  const outcome = (...args: string[]) => runCommand(args, env);
  return {
    storage,
    env,
    outcome,
    run: async (...args: string[]) => (await outcome(...args)).printed,
  };
}
