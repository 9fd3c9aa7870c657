import type { TestProject } from 'vitest/node';
import { createPostgresDatabase } from './storage.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the database that all storages of this run share, a schema each. */
    postgresDatabase: string;
  }
}

/** Creates the database before the first file of a project, and removes it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL ?? '');
  project.provide('postgresDatabase', database.url);
  return database.remove;
}
