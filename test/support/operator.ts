import { runCommand } from '../../src/service/operator/command-line.ts';
import { premises } from './premises.ts';

/** An operator with a service of their own: `run` is what they type, and resolves with what is printed. */
export async function operator() {
  const place = await premises();
  const env = { SERVICE_DATABASE_URL: place.databaseUrl, SECRET_KEY: '5'.repeat(64) };
  /** The same, with the exit code. */
  const outcome = (...args: string[]) => runCommand(args, env);
  return { place, outcome, run: async (...args: string[]) => (await outcome(...args)).printed };
}
